/* Neighbours with persistent requests, started all at once; pairs of ranks with one whose message branches prepare. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, ranks, n = atoi(argv[1]), steps = atoi(argv[2]);
    MPI_Request request[4], single;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double *a = calloc(2 * n, sizeof(double));
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Send_init(a, n, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Send_init(a, n, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &request[1]);
    MPI_Recv_init(a, n, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &request[2]);
    MPI_Recv_init(a, n, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &request[3]);
    for (int t = 0; t < steps; t++) {
        MPI_Startall(4, request);
        for (int i = 0; i < n; i++)
            a[i] += i;
        MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    }
    if (rank % 2 == 0)
        MPI_Send_init(a, 2 * n, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &single);
    else
        MPI_Recv_init(a, 2 * n, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &single);
    for (int t = 0; t < steps; t++) {
        MPI_Start(&single);
        MPI_Wait(&single, MPI_STATUS_IGNORE);
    }
    for (int k = 0; k < 4; k++)
        MPI_Request_free(&request[k]);
    MPI_Request_free(&single);
    MPI_Finalize();
    return 0;
}
