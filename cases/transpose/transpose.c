/* Transposes an n x n matrix, whose rows are shared among the ranks: each rank sends a block to each other. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* The blocks of a rank's rows one after the other, each transposed. */
static void pack(int n, int rows, const double *a, double *blocks)
{
    for (int block = 0; block < n; block += rows)
        for (int j = 0; j < rows; j++)
            for (int i = 0; i < rows; i++)
                blocks[block * rows + j * rows + i] = a[i * n + block + j];
}

static void unpack(int n, int rows, const double *blocks, double *a)
{
    for (int block = 0; block < n; block += rows)
        for (int j = 0; j < rows; j++)
            for (int i = 0; i < rows; i++)
                a[j * n + block + i] = blocks[block * rows + j * rows + i];
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), times = atoi(argv[2]), rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int rows = n / ranks;
    double *a = malloc(rows * n * sizeof *a), *sent = malloc(rows * n * sizeof *a), *got = malloc(rows * n * sizeof *a);
    for (int i = 0; i < rows * n; i++) {
        a[i] = rank * rows * n + i;
        sent[i] = got[i] = 0;
    }
#pragma pamela param(n >= 1)
#pragma pamela region
    for (int time = 0; time < times; time++) {
        pack(n, rows, a, sent);
        MPI_Alltoall(sent, rows * rows, MPI_DOUBLE, got, rows * rows, MPI_DOUBLE, MPI_COMM_WORLD);
        unpack(n, rows, got, a);
    }
    if (rank == 0)
        printf("%g\n", a[1]);
    MPI_Finalize();
    return 0;
}
