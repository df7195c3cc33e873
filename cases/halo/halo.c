/* Relaxation of an n x n grid, whose rows are shared among the ranks: each step exchanges the outer rows with the
   neighbours, and all ranks add up by how much the grid changed. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks;

static void exchange(int n, int rows, double *u)
{
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int below = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&u[n], n, MPI_DOUBLE, above, 0, &u[(rows + 1) * n], n, MPI_DOUBLE, below, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[rows * n], n, MPI_DOUBLE, below, 1, u, n, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), steps = atoi(argv[2]);
    double change = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int rows = n / ranks;
    double *u = malloc((rows + 2) * n * sizeof *u), *v = malloc((rows + 2) * n * sizeof *v);
    for (int i = 0; i < (rows + 2) * n; i++)
        u[i] = v[i] = i % 7;
#pragma pamela param(n >= 2)
#pragma pamela region
    for (int step = 0; step < steps; step++) {
        double own = 0;
        exchange(n, rows, u);
        for (int i = 1; i <= rows; i++)
            for (int j = 1; j < n - 1; j++) {
                v[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]);
                own += fabs(v[i * n + j] - u[i * n + j]);
            }
        double *kept = u;
        u = v;
        v = kept;
        MPI_Allreduce(&own, &change, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g\n", change);
    MPI_Finalize();
    return 0;
}
