#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <mpi.h>

static int rank, size;

static void exchange(double *u, int n, int rows)
{
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&u[n], n, MPI_DOUBLE, up, 0, &u[(rows + 1) * n], n, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[rows * n], n, MPI_DOUBLE, down, 1, u, n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 3) {
        if (rank == 0)
            fprintf(stderr, "usage: jacobi n steps\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    int n = atoi(argv[1]), steps = atoi(argv[2]);
    int rows = n / size;
    double *u = calloc((rows + 2) * n, sizeof(double)), *v = calloc((rows + 2) * n, sizeof(double));
    double start = MPI_Wtime();
    for (int t = 0; t < steps; t++) {
        double local = 0, all;
        exchange(u, n, rows);
        for (int i = 1; i <= rows; i++)
            for (int j = 1; j < n - 1; j++) {
                double new = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]);
                local += fabs(new - u[i * n + j]);
                v[i * n + j] = new;
            }
        double *swap = u;
        u = v;
        v = swap;
        MPI_Allreduce(&local, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    double elapsed = MPI_Wtime() - start;
    if (rank == 0)
        printf("%g\n", elapsed);
    MPI_Finalize();
    return 0;
}
