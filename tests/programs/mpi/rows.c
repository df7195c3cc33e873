/* Rows of a matrix are dealt out unevenly: Scatterv with counts in a loop, matrix times vector, Gatherv. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char *argv[])
{
    int rank, nprocs, i, j;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
    if (argc < 2) {
        if (rank == 0) fprintf(stderr, "usage: rows n\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    int n = atoi(argv[1]) + 1;
    int *counts = malloc(nprocs * sizeof(int)), *displs = malloc(nprocs * sizeof(int));
    int *rows = malloc(nprocs * sizeof(int)), *first = malloc(nprocs * sizeof(int));
    int offset = 0;
    for (i = 0; i < nprocs; i++) {
        rows[i] = n / nprocs + (i < n % nprocs ? 1 : 0);
        first[i] = offset;
        counts[i] = rows[i] * n;
        displs[i] = offset * n;
        offset += rows[i];
    }
    int mine = n / nprocs + (rank < n % nprocs ? 1 : 0);
    double *a = NULL, *x = malloc(n * sizeof(double)), *y = malloc(n * sizeof(double));
    if (rank == 0) {
        a = malloc(n * n * sizeof(double));
        for (i = 0; i < n * n; i++) a[i] = i % 7;
        for (i = 0; i < n; i++) x[i] = i % 5;
    }
    double *part = malloc(mine * n * sizeof(double)), *own = malloc(mine * sizeof(double));
    MPI_Scatterv(a, counts, displs, MPI_DOUBLE, part, mine * n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (i = 0; i < mine; i++) {
        own[i] = 0;
        for (j = 0; j < n; j++)
            own[i] += part[i * n + j] * x[j];
    }
    MPI_Gatherv(own, mine, MPI_DOUBLE, y, rows, first, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        double s = 0;
        for (i = 0; i < n; i++) s += y[i];
        printf("%g\n", s);
    }
    MPI_Finalize();
    return 0;
}
