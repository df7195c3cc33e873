/* The first rank reads what all need, in a function, and jumps where it is wrong; all learn of it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, n, steps, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        n = atoi(argv[1]);
        steps = atoi(argv[2]);
        if (n < 1 || steps < 1) {
            wrong = 1;
            goto told;
        }
        printf("%d numbers\n", n);
    }
told:
    MPI_Bcast(&wrong, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (wrong) {
        MPI_Finalize();
        exit(1);
    }
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    double *a = calloc(n, sizeof(double));
    for (int t = 0; t < steps; t++) {
        if (size == 1)
            continue;
        MPI_Sendrecv_replace(a, n, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
