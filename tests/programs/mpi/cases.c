/* Neighbours in elements of an array, and chosen by a switch. */
#include <mpi.h>
#include <stdlib.h>
int nb[2];
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), steps = atoi(argv[2]), rank, size;
    double *a = calloc(2 * n, 8);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    nb[0] = rank - 1;
    nb[1] = rank + 1;
    if (nb[0] < 0) nb[0] = MPI_PROC_NULL;
    if (nb[1] >= size) nb[1] = MPI_PROC_NULL;
    int to, from = -5;
    switch (rank) {
    case 0: to = MPI_PROC_NULL; break;
    default: to = rank - 1;
    }
    if (rank == size - 1) from = MPI_PROC_NULL; else from = rank + 1;
    for (int t = 0; t < steps; t++) {
        MPI_Sendrecv(a, n, MPI_DOUBLE, nb[0], 0, a + n, n, MPI_DOUBLE, nb[1], 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(a, n, MPI_DOUBLE, to, 0, a + n, n, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
}
