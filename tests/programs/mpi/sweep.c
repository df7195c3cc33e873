/* A wave front: blocks of columns go down the ranks one after the other. */
#include <mpi.h>
#include <stdlib.h>

#define WIDTH 16

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int blocks = atoi(argv[1]), sweeps = atoi(argv[2]);
    double edge[WIDTH] = {1}, cell[WIDTH][WIDTH];
    for (int s = 0; s < sweeps; s++)
        for (int b = 0; b < blocks; b++) {
            if (rank > 0)
                MPI_Recv(edge, WIDTH, MPI_DOUBLE, rank - 1, b, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int i = 0; i < WIDTH; i++)
                for (int j = 0; j < WIDTH; j++)
                    cell[i][j] = edge[j] = 0.5 * edge[j] + (j ? edge[j - 1] : 0);
            if (rank < size - 1)
                MPI_Send(edge, WIDTH, MPI_DOUBLE, rank + 1, b, MPI_COMM_WORLD);
        }
    MPI_Finalize();
    return cell[0][0] < 0;
}
