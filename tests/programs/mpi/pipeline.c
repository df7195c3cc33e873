/* Items go through stages, one on each rank. */
#include <mpi.h>
#include <stdlib.h>

static void stage(int rank, double *item, int length)
{
    for (int i = 0; i < length; i++)
        item[i] = item[i] * 1.5 + rank;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, length = 100;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int items = atoi(argv[1]);
    double *item = calloc(length, sizeof(double));
    for (int k = 0; k < items; k++) {
        if (rank != 0)
            MPI_Recv(item, length, MPI_DOUBLE, rank - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        stage(rank, item, length);
        if (rank != size - 1)
            MPI_Ssend(item, length, MPI_DOUBLE, rank + 1, 3, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
