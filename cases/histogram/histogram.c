/* How often each of some values comes among n: each thread counts its own, which are added up. */
#include <stdio.h>
#include <stdlib.h>

static void count(int n, int bins, const int *list, long *total)
{
#pragma omp parallel
    {
        long *own = calloc(bins, sizeof(long));
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            own[list[i]]++;
#pragma omp critical
        for (int b = 0; b < bins; b++)
            total[b] += own[b];
        free(own);
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), bins = atoi(argv[2]);
    int *list = malloc(n * sizeof *list);
    long *total = calloc(bins, sizeof *total);
    unsigned state = 1;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        list[i] = (state >> 8) % bins;
    }
    count(n, bins, list, total);
    printf("%ld %ld\n", total[0], total[bins - 1]);
    return 0;
}
