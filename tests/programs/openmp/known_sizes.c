// count = 3
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), count = 0;
    double *a = calloc(n + 1, sizeof *a);
#pragma omp parallel for schedule(dynamic, 3)
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < n; j++)
            a[j] += 1.0;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < i; j++)
            a[0] += 2.0;
#pragma omp parallel for schedule(static, 6)
    for (int i = 3; i < 23; i++)
        for (int j = 0; j < i; j++)
            a[0] += 3.0;
#pragma omp parallel
    {
#pragma omp master
        count = 3;
#pragma omp barrier
        int id = omp_get_thread_num();
#pragma omp sections
        {
#pragma omp section
            for (int i = 0; i < n; i++)
                a[i] += 4.0;
#pragma omp section
            for (int i = 0; i < n; i++)
                a[i] += 5.0;
        }
        for (int i = 0; i < id; i++)
            a[n] += 1.0;
    }
    for (int i = 0; i < count; i++)
        a[n] += 7.0;
    printf("%g\n", a[0]);
}
