/* Parallel sorting by regular sampling: blocks are sorted, split by pivots, exchanged and sorted again. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void sort(int n, double *x)
{
    for (int i = 1; i < n; i++) {
        int least = i - 1;
        for (int j = i; j < n; j++) {
            if (x[j] < x[least])
                least = j;
        }
        double kept = x[i - 1];
        x[i - 1] = x[least];
        x[least] = kept;
    }
}

static void insert_all(int n, double *x)
{
    for (int i = 1; i < n; i++) {
        double kept = x[i];
        int j = i;
        while (j > 0 && x[j - 1] > kept) {
            x[j] = x[j - 1];
            j--;
        }
        x[j] = kept;
    }
}

static void sort_all(int n, int m, double *x, double *y, double *sample, double *pivot, int *count)
{
    int size = n / m;
#pragma omp parallel num_threads(m)
    {
        int p = omp_get_thread_num();
        sort(size, x + p * size);
        for (int i = 0; i < m; i++)
            sample[p * m + i] = x[p * size + i * (size / m)];
#pragma omp barrier
#pragma omp single
        {
            sort(m * m, sample);
            for (int i = 1; i < m; i++)
                pivot[i] = sample[i * m + m / 2];
        }
        for (int i = 0; i < size; i++) {
            int to = m - 1;
            while (to > 0 && x[p * size + i] < pivot[to])
                to--;
            int at;
#pragma omp atomic capture
            at = count[to]++;
            y[to * n + at] = x[p * size + i];
        }
#pragma omp barrier
        insert_all(count[p], y + p * n);
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    double *x = malloc(n * sizeof *x);
    double *y = malloc((size_t)m * n * sizeof *y);
    double *sample = malloc(m * m * sizeof *sample);
    double *pivot = malloc(m * sizeof *pivot);
    int *count = calloc(m, sizeof *count);
    srand(1);
    for (int i = 0; i < n; i++)
        x[i] = rand() / (double)RAND_MAX;
#pragma pamela region
    sort_all(n, m, x, y, sample, pivot, count);
    printf("%g\n", y[0]);
    return 0;
}
