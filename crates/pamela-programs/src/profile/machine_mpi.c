/* What MPI takes on this machine: lines of what is measured, its bytes, and nanoseconds, the medians of repeated measurements. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 31, MOST_BYTES = 4 << 20, LEAST_BYTES = 8, WORD = 8, KINDS = 7 };

static int rank, ranks;
static char *sent, *received;

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print(const char *what, int bytes, double *list)
{
    qsort(list, REPEATS, sizeof *list, compare);
    if (rank == 0)
        printf("%s %d %.6g\n", what, bytes, list[REPEATS / 2] * 1e9);
}

/* So many rounds last about as long for all sizes, and are enough for the clock. */
static int rounds(int bytes)
{
    int count = MOST_BYTES / (16 * bytes);
    return count < 1 ? 1 : count > 100 ? 100 : count;
}

/* From rank 0 to rank 1 and back, halved. */
static void message(int bytes)
{
    double list[REPEATS];
    int count = rounds(bytes);
    for (int repeat = -1; repeat < REPEATS; repeat++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        for (int k = 0; k < count && rank < 2; k++) {
            if (rank == 0)
                MPI_Send(sent, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(received, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 1)
                MPI_Send(sent, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        }
        if (repeat >= 0)
            list[repeat] = (MPI_Wtime() - begin) / (2 * count);
    }
    print("message", bytes, list);
}

/* Combining words that are here. */
static void operation(int bytes)
{
    double list[REPEATS];
    int count = rounds(bytes);
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double begin = MPI_Wtime();
        for (int k = 0; k < count; k++)
            MPI_Reduce_local(sent, received, bytes / WORD, MPI_DOUBLE, MPI_SUM);
        list[repeat] = (MPI_Wtime() - begin) / count;
    }
    print("operation", bytes, list);
}

static const char *names[KINDS] = { "barrier", "bcast", "reduce", "allreduce", "gather", "allgather", "alltoall" };

static void together(int kind, int words)
{
    switch (kind) {
    case 0: MPI_Barrier(MPI_COMM_WORLD); break;
    case 1: MPI_Bcast(sent, words, MPI_DOUBLE, 0, MPI_COMM_WORLD); break;
    case 2: MPI_Reduce(sent, received, words, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); break;
    case 3: MPI_Allreduce(sent, received, words, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); break;
    case 4: MPI_Gather(sent, words, MPI_DOUBLE, received, words, MPI_DOUBLE, 0, MPI_COMM_WORLD); break;
    case 5: MPI_Allgather(sent, words, MPI_DOUBLE, received, words, MPI_DOUBLE, MPI_COMM_WORLD); break;
    case 6: MPI_Alltoall(sent, words, MPI_DOUBLE, received, words, MPI_DOUBLE, MPI_COMM_WORLD); break;
    }
}

/* From where all begin to where the last one ends. */
static void collective(int kind, int bytes)
{
    double list[REPEATS];
    for (int repeat = -1; repeat < REPEATS; repeat++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        together(kind, bytes / WORD);
        double own = MPI_Wtime() - begin, longest;
        MPI_Allreduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (repeat >= 0)
            list[repeat] = longest;
    }
    print(names[kind], bytes, list);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    sent = malloc((size_t)MOST_BYTES * ranks);
    received = malloc((size_t)MOST_BYTES * ranks);
    if (!sent || !received) {
        fprintf(stderr, "too little memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    memset(sent, 0, (size_t)MOST_BYTES * ranks);
    memset(received, 0, (size_t)MOST_BYTES * ranks);
    if (ranks > 1)
        for (int bytes = LEAST_BYTES; bytes <= MOST_BYTES; bytes *= 2)
            message(bytes);
    operation(1 << 17);
    for (int kind = 0; kind < KINDS; kind++)
        for (int bytes = LEAST_BYTES; bytes <= MOST_BYTES; bytes *= 8) {
            collective(kind, kind == 0 ? 0 : bytes);
            if (kind == 0)
                break;
        }
    free(sent);
    free(received);
    MPI_Finalize();
    return 0;
}
