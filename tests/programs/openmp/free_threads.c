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
#pragma omp for schedule(guided)
        for (int i = 0; i < n; i++) {
            a[i] += 1.0;
            if (id != 1)
                a[i] += 2.0;
        }
#pragma omp single
        {
            int me = omp_get_thread_num();
            for (int i = 0; i < n; i++) {
                a[i] += 3.0;
                if (me == id)
                    a[i] += 4.0;
            }
        }
        for (int i = 0; i < id; i++)
#pragma omp critical
            a[n] += 5.0;
#pragma omp single
        for (int i = 0; i < n; i++)
#pragma omp task
        {
            a[i] += 6.0;
            if (omp_get_thread_num() > 0)
                a[i] += 7.0;
        }
    }
    printf("%g\n", a[0]);
}
