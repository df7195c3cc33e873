/* Alternating directions: sweeps along the rows of an n x n matrix, then along its columns. */
#include <stdio.h>
#include <stdlib.h>

static void step(int n, double *x, const double *a)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            for (int j = 1; j < n; j++)
                x[i * n + j] += a[i * n + j] * x[i * n + j - 1];
#pragma omp for
        for (int j = 0; j < n; j++)
            for (int i = 1; i < n; i++)
                x[i * n + j] += a[i * n + j] * x[(i - 1) * n + j];
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    int steps = atoi(argv[2]);
    double *x = malloc(n * n * sizeof *x);
    double *a = malloc(n * n * sizeof *a);
    for (int i = 0; i < n * n; i++) {
        x[i] = 1;
        a[i] = 1.0 / n;
    }
    for (int s = 0; s < steps; s++)
        step(n, x, a);
    printf("%g\n", x[n * n - 1]);
    return 0;
}
