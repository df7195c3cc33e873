/* Sorting by exchanges of odd and even neighbours. */
#include <mpi.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = atoi(argv[1]);
    int *own = malloc(n * sizeof(int)), *other = malloc(n * sizeof(int)), *merged = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        own[i] = (rank * 7919 + i * 104729) % 1000;
    qsort(own, n, sizeof(int), compare);
    for (int phase = 0; phase < size; phase++) {
        int partner;
        if ((phase + rank) % 2 == 0)
            partner = rank + 1;
        else
            partner = rank - 1;
        if (partner < 0 || partner >= size)
            continue;
        MPI_Sendrecv(own, n, MPI_INT, partner, 0, other, n, MPI_INT, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < n; i++)
            merged[i] = rank < partner ? (own[i] < other[i] ? own[i] : other[i]) : own[i];
        for (int i = 0; i < n; i++)
            own[i] = merged[i];
    }
    MPI_Finalize();
    return 0;
}
