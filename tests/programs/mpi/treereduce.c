/* A sum by a tree of messages. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = atoi(argv[1]);
    double *v = malloc(n * sizeof(double)), *w = malloc(n * sizeof(double));
    for (int i = 0; i < n; i++)
        v[i] = rank;
    for (int d = 1; d < size; d *= 2) {
        if (rank % (2 * d) == 0) {
            if (rank + d < size) {
                MPI_Recv(w, n, MPI_DOUBLE, rank + d, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                for (int i = 0; i < n; i++)
                    v[i] += w[i];
            }
        } else if (rank % d == 0) {
            MPI_Send(v, n, MPI_DOUBLE, rank - d, 0, MPI_COMM_WORLD);
        }
    }
    if (rank == 0)
        printf("%f\n", v[0]);
    MPI_Finalize();
    return 0;
}
