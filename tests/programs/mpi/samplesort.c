/* Sorting by samples: buckets go to all ranks, of sizes that the data decide. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = atoi(argv[1]);
    int *data = malloc(n * sizeof(int)), *samples = malloc(size * sizeof(int));
    int *all = malloc(size * size * sizeof(int));
    srand(rank + 1);
    for (int i = 0; i < n; i++)
        data[i] = rand() % 1000;
    qsort(data, n, sizeof(int), compare);
    for (int i = 0; i < size; i++)
        samples[i] = data[i * (n / size)];
    MPI_Gather(samples, size, MPI_INT, all, size, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        qsort(all, size * size, sizeof(int), compare);
        for (int i = 1; i < size; i++)
            all[i] = all[i * size];
    }
    MPI_Bcast(all, size, MPI_INT, 0, MPI_COMM_WORLD);
    int *count = calloc(size, sizeof(int)), *coming = calloc(size, sizeof(int));
    int *from = calloc(size, sizeof(int)), *to = calloc(size, sizeof(int));
    for (int i = 0; i < n; i++) {
        int b = 0;
        while (b + 1 < size && data[i] >= all[b + 1])
            b++;
        count[b]++;
    }
    MPI_Alltoall(count, 1, MPI_INT, coming, 1, MPI_INT, MPI_COMM_WORLD);
    int total = 0;
    for (int i = 0; i < size; i++) {
        from[i] = i ? from[i - 1] + count[i - 1] : 0;
        to[i] = total;
        total += coming[i];
    }
    int *sorted = malloc((total + 1) * sizeof(int));
    MPI_Alltoallv(data, count, from, MPI_INT, sorted, coming, to, MPI_INT, MPI_COMM_WORLD);
    qsort(sorted, total, sizeof(int), compare);
    MPI_Finalize();
    return 0;
}
