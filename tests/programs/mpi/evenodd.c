/* Left and right halves of the ranks in pairs: each way gives a partner, and the last of an odd number has none. */
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), steps = atoi(argv[2]), rank, size, partner, first;
    double *a = calloc(n, sizeof(double)), *b = calloc(n, sizeof(double));
    MPI_Request q[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank < size / 2)
        partner = size / 2 + rank;
    else if (rank >= size / 2 && rank < 2 * (size / 2))
        partner = rank - size / 2;
    if (rank % 2 == 0)
        first = rank + 1;
    if (rank % 2 == 1)
        first = rank - 1;
    if (rank < 2 * (size / 2)) {
        for (int t = 0; t < steps; t++) {
            MPI_Irecv(b, n, MPI_DOUBLE, partner, 1, MPI_COMM_WORLD, &q[0]);
            MPI_Isend(a, n, MPI_DOUBLE, partner, 1, MPI_COMM_WORLD, &q[1]);
            MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
        }
        MPI_Sendrecv(a, 2, MPI_DOUBLE, first, 2, b, 2, MPI_DOUBLE, first, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
