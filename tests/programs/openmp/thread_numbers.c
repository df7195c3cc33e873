#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double *a = calloc(n + 1, sizeof *a);
#pragma omp parallel
    {
        int id = omp_get_thread_num();
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++)
            if (id == 1)
                a[i] += 1.0;
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                if (id < 2)
                    a[i] += 1.0;
#pragma omp for schedule(static, 1)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                if (id == 0)
                    a[i] += 3.0;
#pragma omp for schedule(static, 3)
        for (int i = 2; i < n; i++)
            for (int j = 0; j <= id; j++)
                a[i] += 4.0;
    }
    printf("%g\n", a[0]);
}
