/* Elimination in an n x n matrix, without pivoting; rows are dealt out to the threads in turn. */
#include <stdio.h>
#include <stdlib.h>

static void eliminate(int n, double *a)
{
#pragma omp parallel
    for (int k = 0; k < n - 1; k++) {
#pragma omp for schedule(static, 1)
        for (int i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
        }
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double *a = malloc(n * n * sizeof *a);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] = i == j ? n : 1.0 / (1 + i + j);
    eliminate(n, a);
    printf("%g\n", a[n * n - 1]);
    return 0;
}
