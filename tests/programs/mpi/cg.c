/* Conjugate gradients for a matrix of three diagonals, rows in blocks. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static MPI_Comm comm;
static int rank, nprocs;

static double dot(int n, const double *a, const double *b)
{
    double local = 0, global;
    for (int i = 0; i < n; i++)
        local += a[i] * b[i];
    MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_SUM, comm);
    return global;
}

static void multiply(int n, double *p, double *q)
{
    double left = 0, right = 0;
    if (rank > 0)
        MPI_Sendrecv(&p[0], 1, MPI_DOUBLE, rank - 1, 0, &left, 1, MPI_DOUBLE, rank - 1, 0, comm, MPI_STATUS_IGNORE);
    if (rank < nprocs - 1)
        MPI_Sendrecv(&p[n - 1], 1, MPI_DOUBLE, rank + 1, 0, &right, 1, MPI_DOUBLE, rank + 1, 0, comm,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < n; i++)
        q[i] = 2 * p[i] - (i > 0 ? p[i - 1] : left) - (i < n - 1 ? p[i + 1] : right);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &nprocs);
    int total = atoi(argv[1]), iterations = atoi(argv[2]);
    int n = (rank + 1) * total / nprocs - rank * total / nprocs;
    double *x = calloc(n, 8), *r = malloc(n * 8), *p = malloc(n * 8), *q = malloc(n * 8);
    for (int i = 0; i < n; i++)
        p[i] = r[i] = 1;
    double rho = dot(n, r, r);
    for (int k = 0; k < iterations; k++) {
        multiply(n, p, q);
        double alpha = rho / dot(n, p, q);
        for (int i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double next = dot(n, r, r);
        double beta = next / rho;
        rho = next;
        for (int i = 0; i < n; i++)
            p[i] = r[i] + beta * p[i];
    }
    if (rank == 0)
        printf("%g\n", sqrt(rho));
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
