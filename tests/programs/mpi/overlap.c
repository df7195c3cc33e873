/* A halo exchange beside the work on the interior. */
#include <mpi.h>
#include <stdlib.h>
static void interior(int n, double *a)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            a[i * n + j] += 1.0;
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), steps = atoi(argv[2]), rank, size;
    MPI_Request q[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *a = calloc((size_t)n * n, sizeof(double)), *halo = calloc(2 * n, sizeof(double));
    int up = (rank + size - 1) % size, down = (rank + 1) % size;
    for (int t = 0; t < steps; t++) {
        MPI_Irecv(halo, n, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &q[0]);
        MPI_Irecv(halo + n, n, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &q[1]);
        MPI_Isend(a, n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &q[2]);
        MPI_Isend(a, n, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &q[3]);
        interior(n, a);
        MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
        for (int j = 0; j < n; j++)
            a[j] += halo[j] + halo[n + j];
    }
    MPI_Finalize();
    return 0;
}
