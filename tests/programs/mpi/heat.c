/* Heat in a plane: Cartesian topology by Dims_create, columns as vectors, hybrid with OpenMP. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#define IND(i, j) ((i) * (ny + 2) + (j))

static void exchange(double *u, int nx, int ny, int up, int down, int left, int right, MPI_Datatype column, MPI_Comm cart)
{
    MPI_Request req[8];
    MPI_Irecv(&u[IND(0, 1)], ny, MPI_DOUBLE, up, 0, cart, &req[0]);
    MPI_Irecv(&u[IND(nx + 1, 1)], ny, MPI_DOUBLE, down, 1, cart, &req[1]);
    MPI_Irecv(&u[IND(1, 0)], 1, column, left, 2, cart, &req[2]);
    MPI_Irecv(&u[IND(1, ny + 1)], 1, column, right, 3, cart, &req[3]);
    MPI_Isend(&u[IND(nx, 1)], ny, MPI_DOUBLE, down, 0, cart, &req[4]);
    MPI_Isend(&u[IND(1, 1)], ny, MPI_DOUBLE, up, 1, cart, &req[5]);
    MPI_Isend(&u[IND(1, ny)], 1, column, right, 2, cart, &req[6]);
    MPI_Isend(&u[IND(1, 1)], 1, column, left, 3, cart, &req[7]);
    MPI_Waitall(8, req, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int provided, rank, size, dims[2] = { 0, 0 }, periods[2] = { 0, 1 }, coords[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Comm cart;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &cart);
    MPI_Comm_rank(cart, &rank);
    MPI_Cart_coords(cart, rank, 2, coords);
    int up, down, left, right;
    MPI_Cart_shift(cart, 0, 1, &up, &down);
    MPI_Cart_shift(cart, 1, 1, &left, &right);
    int n = atoi(argv[1]), steps = atoi(argv[2]);
    int nx = n / dims[0], ny = n / dims[1];
    double *u = calloc((nx + 2) * (ny + 2), sizeof(double)), *v = calloc((nx + 2) * (ny + 2), sizeof(double));
    if (coords[0] == 0)
        for (int j = 0; j < ny + 2; j++)
            u[IND(0, j)] = v[IND(0, j)] = 1;
    MPI_Datatype column;
    MPI_Type_vector(nx, 1, ny + 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    double change = 1;
    for (int t = 0; t < steps; t++) {
        exchange(u, nx, ny, up, down, left, right, column, cart);
        double local = 0;
#pragma omp parallel for reduction(max : local) schedule(static)
        for (int i = 1; i <= nx; i++)
            for (int j = 1; j <= ny; j++) {
                v[IND(i, j)] = 0.25 * (u[IND(i - 1, j)] + u[IND(i + 1, j)] + u[IND(i, j - 1)] + u[IND(i, j + 1)]);
                double d = v[IND(i, j)] - u[IND(i, j)];
                if (d < 0) d = -d;
                if (d > local) local = d;
            }
        double *swap = u; u = v; v = swap;
        if (t % 10 == 0)
            MPI_Allreduce(&local, &change, 1, MPI_DOUBLE, MPI_MAX, cart);
    }
    if (rank == 0) printf("%g\n", change);
    MPI_Type_free(&column);
    MPI_Comm_free(&cart);
    MPI_Finalize();
    return 0;
}
