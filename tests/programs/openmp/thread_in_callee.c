#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static void inner(int id, int n, double *a)
{
#pragma omp for
    for (int i = 0; i < n; i++)
        if (id == 0)
            a[i] += 1.0;
#pragma omp master
    for (int i = 0; i < n; i++)
        a[i] += 2.0;
#pragma omp barrier
    for (int i = 0; i < id; i++)
        a[n] += 2.0;
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double *a = calloc(n + 1, sizeof *a);
#pragma omp parallel
    {
        int id = omp_get_thread_num();
        inner(id, n, a);
        if (omp_get_thread_num() == 0)
            for (int i = 0; i < n; i++)
                a[i] += 3.0;
#pragma omp single
        for (int i = 0; i < n; i++)
            a[i] += 4.0;
#pragma omp master
        {
            int me = omp_get_thread_num();
            for (int i = me; i < n; i++)
                a[i] += 5.0;
        }
#pragma omp barrier
        for (int i = 0; i <= id; i++)
            a[n] += 6.0;
    }
    printf("%g\n", a[0]);
}
