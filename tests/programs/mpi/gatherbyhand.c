/* Blocks are dealt out and gathered by messages, one rank after the other. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int my_rank, comm_sz, n, local_n;
    MPI_Init(NULL, NULL);
    MPI_Comm_size(MPI_COMM_WORLD, &comm_sz);
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    if (my_rank == 0)
        n = atoi(argv[1]);
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    local_n = n / comm_sz;
    double *x = malloc(local_n * sizeof(double));
    if (my_rank == 0) {
        double *all = malloc(n * sizeof(double));
        for (int i = 0; i < n; i++)
            all[i] = i;
        for (int dest = 1; dest < comm_sz; dest++)
            MPI_Send(all + dest * local_n, local_n, MPI_DOUBLE, dest, 0, MPI_COMM_WORLD);
        for (int i = 0; i < local_n; i++)
            x[i] = all[i];
        free(all);
    } else {
        MPI_Recv(x, local_n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    double sum = 0.0;
    for (int i = 0; i < local_n; i++)
        sum += x[i] * x[i];
    if (my_rank != 0) {
        MPI_Send(&sum, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
    } else {
        double total = sum;
        for (int source = 1; source < comm_sz; source++) {
            MPI_Recv(&sum, 1, MPI_DOUBLE, source, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            total += sum;
        }
        printf("%f\n", total);
    }
    MPI_Finalize();
    return 0;
}
