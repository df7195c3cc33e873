/* A block of a plane for each process of a grid; columns are a type of their own. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define IDX(i, j) ((i) * (cols + 2) + (j))

int main(int argc, char **argv)
{
    int size, rank, dims[2] = {0, 0}, periods[2] = {0, 0}, coords[2];
    int north, south, west, east;
    MPI_Comm cart;
    MPI_Datatype column;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
    MPI_Comm_rank(cart, &rank);
    MPI_Cart_coords(cart, rank, 2, coords);
    MPI_Cart_shift(cart, 0, 1, &north, &south);
    MPI_Cart_shift(cart, 1, 1, &west, &east);
    const int n = atoi(argv[1]);
    const int iterations = atoi(argv[2]);
    const int rows = n / dims[0], cols = n / dims[1];
    double *a = calloc((rows + 2) * (cols + 2), sizeof *a);
    double *b = calloc((rows + 2) * (cols + 2), sizeof *b);
    MPI_Type_vector(rows, 1, cols + 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (int it = 0; it < iterations; ++it) {
        MPI_Sendrecv(&a[IDX(1, 1)], cols, MPI_DOUBLE, north, 0, &a[IDX(rows + 1, 1)], cols, MPI_DOUBLE, south, 0,
                     cart, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&a[IDX(rows, 1)], cols, MPI_DOUBLE, south, 1, &a[IDX(0, 1)], cols, MPI_DOUBLE, north, 1,
                     cart, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&a[IDX(1, 1)], 1, column, west, 2, &a[IDX(1, cols + 1)], 1, column, east, 2, cart,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(&a[IDX(1, cols)], 1, column, east, 3, &a[IDX(1, 0)], 1, column, west, 3, cart,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= rows; ++i)
            for (int j = 1; j <= cols; ++j)
                b[IDX(i, j)] = 0.25 * (a[IDX(i - 1, j)] + a[IDX(i + 1, j)] + a[IDX(i, j - 1)] + a[IDX(i, j + 1)]);
        double *t = a;
        a = b;
        b = t;
    }
    MPI_Barrier(cart);
    if (coords[0] == 0 && coords[1] == 0)
        printf("done\n");
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
