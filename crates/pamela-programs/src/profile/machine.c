/* What OpenMP takes on this machine, in nanoseconds: the medians of repeated measurements. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define REPEATS 31

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *list)
{
    qsort(list, REPEATS, sizeof *list, compare);
    return list[REPEATS / 2] * 1e9;
}

#define MEASURE(result, count, code)                    \
    do {                                                \
        double list[REPEATS];                           \
        for (int repeat = 0; repeat < REPEATS; repeat++) { \
            double begin = omp_get_wtime();             \
            code;                                       \
            list[repeat] = (omp_get_wtime() - begin) / (count); \
        }                                               \
        result = median(list);                          \
    } while (0)

int main(void)
{
    int threads = omp_get_max_threads();
    enum { REGIONS = 50, BARRIERS = 200, PIECES = 2000 };
    volatile long sum = 0;
    volatile double total = 0;
    double region, barrier, shared, chunk, lock, reduced, task, alone;
#pragma omp parallel
    sum = 0;
    MEASURE(region, REGIONS, for (int k = 0; k < REGIONS; k++) {
        _Pragma("omp parallel") { __asm__ volatile("" ::: "memory"); }
    });
    MEASURE(barrier, BARRIERS, _Pragma("omp parallel") {
        for (int k = 0; k < BARRIERS; k++) {
            _Pragma("omp barrier")
        }
    });
    MEASURE(shared, PIECES, _Pragma("omp parallel for schedule(static)") for (int k = 0; k < PIECES; k++) {
        __asm__ volatile("" ::: "memory");
    });
    MEASURE(chunk, PIECES, _Pragma("omp parallel for schedule(dynamic, 1)") for (int k = 0; k < PIECES; k++) {
        __asm__ volatile("" ::: "memory");
    });
    MEASURE(lock, (double)PIECES * threads, _Pragma("omp parallel") for (int k = 0; k < PIECES; k++) {
        _Pragma("omp critical") sum = sum + 1;
    });
    MEASURE(reduced, REGIONS, for (int k = 0; k < REGIONS; k++) {
        double own = 0;
        _Pragma("omp parallel reduction(+ : own)") own += k;
        total = total + own;
    });
    MEASURE(task, PIECES, _Pragma("omp parallel") _Pragma("omp single") for (int k = 0; k < PIECES; k++) {
        _Pragma("omp task") { __asm__ volatile("" ::: "memory"); }
    });
    MEASURE(alone, PIECES, for (int k = 0; k < PIECES; k++) sum = sum + 1);
    /* The barriers lie in one region, whose start and end are the rest. */
    double wait = barrier - region / BARRIERS;
    double of_chunk = chunk - shared;
    double of_task = task - region / PIECES;
    printf("t_fork %.6g\n", region > wait ? region - wait : 0);
    printf("t_barrier %.6g\n", wait > 0 ? wait : 0);
    printf("t_chunk %.6g\n", of_chunk > 0 ? of_chunk * threads : 0);
    printf("t_lock %.6g\n", lock > alone ? lock - alone : 0);
    printf("t_combine %.6g\n", reduced > region ? (reduced - region) / threads : 0);
    printf("t_task %.6g\n", of_task > 0 ? of_task * threads : 0);
    return 0;
}
