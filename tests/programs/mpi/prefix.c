/* Offsets by a scan, then a broadcast of the total, checked call by call. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                              \
    do {                                         \
        int code = (call);                       \
        if (code != MPI_SUCCESS) {               \
            fprintf(stderr, "error %d\n", code); \
            MPI_Abort(MPI_COMM_WORLD, code);     \
        }                                        \
    } while (0)

int main(int argc, char **argv)
{
    int rank, size;
    CHECK(MPI_Init(&argc, &argv));
    CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    CHECK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    long n = atol(argv[1]);
    long *mine = malloc(n * sizeof(long)), *sums = malloc(n * sizeof(long));
    for (long i = 0; i < n; i++)
        mine[i] = rank * n + i;
    CHECK(MPI_Scan(mine, sums, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    CHECK(MPI_Bcast(sums, n, MPI_LONG, size - 1, MPI_COMM_WORLD));
    long offset = 0, one = n;
    CHECK(MPI_Exscan(&one, &offset, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    CHECK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK(MPI_Finalize());
    return 0;
}
