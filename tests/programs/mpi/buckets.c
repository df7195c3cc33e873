/* Keys go to the rank that owns their range: Alltoall of counts, Alltoallv of keys, local sort. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int n = atoi(argv[1]), range = 1 << 20;
    int local = n / size, total = 0;
    int *keys = malloc(local * sizeof *keys), *sorted = malloc(local * sizeof *keys);
    int *sendcounts = calloc(size, sizeof(int)), *recvcounts = calloc(size, sizeof(int));
    int *sdispls = calloc(size + 1, sizeof(int)), *rdispls = calloc(size + 1, sizeof(int)), *fill = calloc(size, sizeof(int));
    srand(rank + 1);
    for (int i = 0; i < local; i++) {
        keys[i] = rand() % range;
        sendcounts[(long)keys[i] * size / range]++;
    }
    for (int p = 0; p < size; p++)
        sdispls[p + 1] = sdispls[p] + sendcounts[p];
    for (int i = 0; i < local; i++) {
        int p = (long)keys[i] * size / range;
        sorted[sdispls[p] + fill[p]++] = keys[i];
    }
    MPI_Alltoall(sendcounts, 1, MPI_INT, recvcounts, 1, MPI_INT, comm);
    for (int p = 0; p < size; p++) {
        rdispls[p + 1] = rdispls[p] + recvcounts[p];
        total += recvcounts[p];
    }
    int *mine = malloc(total * sizeof *mine);
    MPI_Alltoallv(sorted, sendcounts, sdispls, MPI_INT, mine, recvcounts, rdispls, MPI_INT, comm);
    qsort(mine, total, sizeof *mine, compare);
    long sum = 0, all = 0;
    for (int i = 0; i < total; i++)
        sum += (long)i * mine[i] % 17;
    MPI_Allreduce(&sum, &all, 1, MPI_LONG, MPI_SUM, comm);
    if (rank == 0) printf("%ld\n", all);
    MPI_Finalize();
    return 0;
}
