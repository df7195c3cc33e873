/* Communicators of some ranks by colour: pairs of neighbours, and every second rank. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, n = atoi(argv[1]), steps = atoi(argv[2]);
    int place, places, column_rank, column_size;
    MPI_Comm row, column;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &row);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &column);
    MPI_Comm_rank(row, &place);
    MPI_Comm_size(row, &places);
    MPI_Comm_rank(column, &column_rank);
    MPI_Comm_size(column, &column_size);
    double *a = calloc(n, sizeof(double)), *b = calloc(n, sizeof(double));
    for (int t = 0; t < steps; t++) {
        MPI_Bcast(a, n, MPI_DOUBLE, 0, row);
        /* Around in the column. */
        MPI_Sendrecv(a, n, MPI_DOUBLE, (column_rank + 1) % column_size, 0, b, n, MPI_DOUBLE,
            (column_rank + column_size - 1) % column_size, 0, column, MPI_STATUS_IGNORE);
        MPI_Allreduce(MPI_IN_PLACE, b, n, MPI_DOUBLE, MPI_SUM, column);
        if (place < places - 1)
            MPI_Send(b, 2 * n / 2, MPI_DOUBLE, place + 1, 1, row);
        if (place > 0)
            MPI_Recv(b, n, MPI_DOUBLE, place - 1, 1, row, MPI_STATUS_IGNORE);
        for (int k = 0; k < n / places; k++)
            a[k] += b[k];
    }
    MPI_Barrier(row);
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    MPI_Finalize();
    return 0;
}
