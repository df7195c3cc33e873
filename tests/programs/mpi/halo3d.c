/* A cube in slabs of a periodic grid of three dimensions, with six neighbours in an array. */
#include <mpi.h>
#include <stdlib.h>

enum { LEFT, RIGHT, DOWN, UP, BACK, FRONT, SIDES };

int main(int argc, char **argv)
{
    int size, dims[3] = {0, 0, 0}, periods[3] = {1, 1, 1}, side[SIDES];
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 3, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 1, &grid);
    MPI_Cart_shift(grid, 0, 1, &side[LEFT], &side[RIGHT]);
    MPI_Cart_shift(grid, 1, 1, &side[DOWN], &side[UP]);
    MPI_Cart_shift(grid, 2, 1, &side[BACK], &side[FRONT]);
    int n = atoi(argv[1]), steps = atoi(argv[2]);
    float *out = malloc(SIDES * n * n * sizeof(float)), *in = malloc(SIDES * n * n * sizeof(float));
    for (int i = 0; i < SIDES * n * n; i++)
        out[i] = i;
    for (int s = 0; s < steps; s++) {
        MPI_Request request[2 * SIDES];
        for (int d = 0; d < SIDES; d++)
            MPI_Irecv(in + d * n * n, n * n, MPI_FLOAT, side[d], d ^ 1, grid, &request[d]);
        for (int d = 0; d < SIDES; d++)
            MPI_Isend(out + d * n * n, n * n, MPI_FLOAT, side[d], d, grid, &request[SIDES + d]);
        MPI_Waitall(2 * SIDES, request, MPI_STATUSES_IGNORE);
        for (int i = 0; i < SIDES * n * n; i++)
            out[i] = 0.5f * (out[i] + in[i]);
    }
    MPI_Finalize();
    return 0;
}
