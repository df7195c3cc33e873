/* Sorts numbers that are shared among the ranks: each rank sorts its own, samples of all tell where the buckets end, each
   rank sends every other its bucket, and merges what comes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The sorted lists that lie one behind the other in `from`, each up to `end`, merged into `to`. */
static void merge(int lists, const int *from, int *next, const int *end, int *to)
{
    for (;;) {
        int least = -1;
        for (int k = 0; k < lists; k++)
            if (next[k] < end[k] && (least < 0 || from[next[k]] < from[next[least]]))
                least = k;
        if (least < 0)
            break;
        *to++ = from[next[least]++];
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int *own = malloc(n * sizeof *own), *got = malloc(2 * n * sizeof *got), *sorted = malloc(2 * n * sizeof *sorted);
    int *samples = malloc(ranks * sizeof *samples), *all = malloc(ranks * ranks * sizeof *all);
    int *count = malloc(ranks * sizeof *count), *first = malloc(ranks * sizeof *first);
    int *coming = malloc(ranks * sizeof *coming), *next = malloc(ranks * sizeof *next), *end = malloc(ranks * sizeof *end);
    srand(rank + ranks * atoi(argv[2]));
    for (int i = 0; i < n; i++)
        own[i] = rand();
#pragma pamela param(n >= 1)
#pragma pamela region
    {
        qsort(own, n, sizeof *own, compare);
        for (int k = 0; k < ranks; k++)
            samples[k] = own[k * (n / ranks)];
        MPI_Allgather(samples, ranks, MPI_INT, all, ranks, MPI_INT, MPI_COMM_WORLD);
        qsort(all, ranks * ranks, sizeof *all, compare);
        for (int k = 0; k < ranks; k++)
            count[k] = 0;
        for (int i = 0, k = 0; i < n; i++) {
            while (k + 1 < ranks && own[i] >= all[(k + 1) * ranks])
                k++;
            count[k]++;
        }
        MPI_Alltoall(count, 1, MPI_INT, coming, 1, MPI_INT, MPI_COMM_WORLD);
        for (int k = 0; k < ranks; k++) {
            first[k] = k ? first[k - 1] + count[k - 1] : 0;
            next[k] = k ? next[k - 1] + coming[k - 1] : 0;
            end[k] = next[k] + coming[k];
        }
        MPI_Alltoallv(own, count, first, MPI_INT, got, coming, next, MPI_INT, MPI_COMM_WORLD);
        merge(ranks, got, next, end, sorted);
    }
    printf("%d %d\n", rank, sorted[0]);
    MPI_Finalize();
    return 0;
}
