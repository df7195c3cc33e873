/* All ranks have the sum by exchanges along the edges of a cube, as far as partners are there. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int id, p, n;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &id);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    n = atoi(argv[1]);
    float *a = calloc(n, sizeof(float)), *b = calloc(n, sizeof(float));
    for (int bit = 1; bit < p; bit <<= 1) {
        int partner = id ^ bit;
        if (partner < p) {
            MPI_Request request;
            MPI_Irecv(b, n, MPI_FLOAT, partner, bit, MPI_COMM_WORLD, &request);
            MPI_Send(a, n, MPI_FLOAT, partner, bit, MPI_COMM_WORLD);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            for (int i = 0; i < n; i++)
                a[i] += b[i];
        }
    }
    MPI_Finalize();
    return 0;
}
