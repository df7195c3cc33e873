/* Columns and rows are broadcast by each rank in turn. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = atoi(argv[1]), nb = n / size;
    double *a = calloc(nb * n, sizeof(double)), *b = calloc(nb * n, sizeof(double)), *c = calloc(nb * n, sizeof(double));
    double *panel = calloc(nb * n, sizeof(double));
    for (int root = 0; root < size; root++) {
        if (root == rank)
            memcpy(panel, b, nb * n * sizeof(double));
        MPI_Bcast(panel, nb * n, MPI_DOUBLE, root, MPI_COMM_WORLD);
        for (int i = 0; i < nb; i++)
            for (int k = 0; k < nb; k++)
                for (int j = 0; j < n; j++)
                    c[i * n + j] += a[i * n + root * nb + k] * panel[k * n + j];
    }
    MPI_Finalize();
    return 0;
}
