/* Conjugate gradients for the equations of a grid of m x m points, of which each has four neighbours; rows of the grid are
   shared among the ranks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks;

/* The sum over all ranks of the products of n numbers each. */
static double product(int n, const double *a, const double *b)
{
    double own = 0, all;
    for (int i = 0; i < n; i++)
        own += a[i] * b[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* q = A p; p has a row of the neighbours in front and one behind. */
static void multiply(int m, int rows, double *p, double *q)
{
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int below = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&p[m], m, MPI_DOUBLE, above, 0, &p[(rows + 1) * m], m, MPI_DOUBLE, below, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&p[rows * m], m, MPI_DOUBLE, below, 1, p, m, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < m; j++) {
            int k = i * m + j;
            double left = j > 0 ? p[k - 1] : 0, right = j < m - 1 ? p[k + 1] : 0;
            q[k] = 4 * p[k] - left - right - p[k - m] - p[k + m];
        }
}

static double *zeros(int n)
{
    double *list = malloc(n * sizeof *list);
    for (int i = 0; i < n; i++)
        list[i] = 0;
    return list;
}

int main(int argc, char **argv)
{
    int m = atoi(argv[1]), steps = atoi(argv[2]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int rows = m / ranks, size = (rows + 2) * m, n = rows * m;
    double *x = zeros(size), *r = zeros(size), *p = zeros(size), *q = zeros(size);
    for (int i = m; i < m + n; i++)
        p[i] = r[i] = 1;
    double norm = product(n, r + m, r + m);
#pragma pamela region
    for (int step = 0; step < steps; step++) {
        multiply(m, rows, p, q);
        double alpha = norm / product(n, p + m, q + m);
        for (int i = m; i < m + n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double next = product(n, r + m, r + m), beta = next / norm;
        norm = next;
        for (int i = m; i < m + n; i++)
            p[i] = r[i] + beta * p[i];
    }
    if (rank == 0)
        printf("%g\n", norm);
    MPI_Finalize();
    return 0;
}
