/* Heat in a rod: neighbours exchange one value by calls that return at once. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int cells;
    int left, right;
    double *now, *next;
} rod;

static void step(rod *r)
{
    MPI_Request requests[4];
    MPI_Irecv(&r->now[0], 1, MPI_DOUBLE, r->left, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&r->now[r->cells + 1], 1, MPI_DOUBLE, r->right, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&r->now[1], 1, MPI_DOUBLE, r->left, 7, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&r->now[r->cells], 1, MPI_DOUBLE, r->right, 7, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    for (int i = 1; i <= r->cells; i++)
        r->next[i] = r->now[i] + 0.1 * (r->now[i - 1] - 2 * r->now[i] + r->now[i + 1]);
    double *swap = r->now;
    r->now = r->next;
    r->next = swap;
}

int main(int argc, char *argv[])
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = atoi(argv[1]), steps = atoi(argv[2]);
    rod r;
    r.cells = n / size + (rank < n % size ? 1 : 0);
    r.left = rank == 0 ? MPI_PROC_NULL : rank - 1;
    r.right = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
    r.now = calloc(r.cells + 2, sizeof(double));
    r.next = calloc(r.cells + 2, sizeof(double));
    if (rank == 0)
        r.now[1] = 100;
    for (int s = 0; s < steps; s++)
        step(&r);
    double heat = 0, total = 0;
    for (int i = 1; i <= r.cells; i++)
        heat += r.now[i];
    MPI_Reduce(&heat, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%f\n", total);
    MPI_Finalize();
    return 0;
}
