/* One rank alone has nobody to send to, and ends with success. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), steps = atoi(argv[2]), rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *a = calloc(n, sizeof(double));
    if (size == 1) {
        printf("alone\n");
        MPI_Finalize();
        exit(0);
    }
    for (int t = 0; t < steps; t++) {
        MPI_Sendrecv_replace(a, n, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
