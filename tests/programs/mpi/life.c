/* The game of life on a torus of rows; every tenth generation is counted. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int rank, size, rows, width;
unsigned char *world, *next;

void border(void)
{
    int up = (rank - 1 + size) % size, down = (rank + 1) % size;
    MPI_Request r[4];
    MPI_Status s[4];
    MPI_Isend(world + width, width, MPI_UNSIGNED_CHAR, up, 0, MPI_COMM_WORLD, r);
    MPI_Isend(world + rows * width, width, MPI_UNSIGNED_CHAR, down, 1, MPI_COMM_WORLD, r + 1);
    MPI_Irecv(world + (rows + 1) * width, width, MPI_UNSIGNED_CHAR, down, 0, MPI_COMM_WORLD, r + 2);
    MPI_Irecv(world, width, MPI_UNSIGNED_CHAR, up, 1, MPI_COMM_WORLD, r + 3);
    MPI_Waitall(4, r, s);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    width = atoi(argv[1]);
    int generations = atoi(argv[2]);
    rows = width / size;
    world = calloc((rows + 2) * width, 1);
    next = calloc((rows + 2) * width, 1);
    for (int g = 0; g < generations; g++) {
        border();
        for (int i = 1; i <= rows; i++)
            for (int j = 0; j < width; j++) {
                int sum = 0;
                for (int di = -1; di <= 1; di++)
                    for (int dj = -1; dj <= 1; dj++)
                        sum += world[(i + di) * width + (j + dj + width) % width];
                next[i * width + j] = sum == 3 || (sum == 4 && world[i * width + j]);
            }
        unsigned char *t = world;
        world = next;
        next = t;
        if (g % 10 == 0) {
            int alive = 0, total;
            for (int i = 0; i < rows * width; i++)
                alive += world[width + i];
            MPI_Allreduce(&alive, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
