/* A matrix of rows on each rank is transposed by all to all. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void pack(int n, int rows, int p, const double *a, double *out)
{
    for (int q = 0; q < p; q++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++)
                out[(q * rows + j) * rows + i] = a[i * n + q * rows + j];
}

int main(int argc, char **argv)
{
    int rank, p;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    int n = atoi(argv[1]), times = atoi(argv[2]);
    if (n % p != 0) {
        fprintf(stderr, "n must be a multiple of the ranks\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int rows = n / p;
    double *a = malloc(n * rows * sizeof(double)), *b = malloc(n * rows * sizeof(double));
    for (int i = 0; i < n * rows; i++)
        a[i] = rank + i;
    for (int t = 0; t < times; t++) {
        pack(n, rows, p, a, b);
        MPI_Alltoall(b, rows * rows, MPI_DOUBLE, a, rows * rows, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    free(a);
    free(b);
    return MPI_Finalize();
}
