/* A particle filter: n particles, shared among the ranks, follow something that is only measured with errors. In each step the
   first rank says what was measured, each particle moves by chance and is weighted by how well it fits, the weights of
   all are added up, and each rank draws its particles anew by their weights. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned state;

/* Between 0 and 1. */
static double chance(void)
{
    state = state * 1664525u + 1013904223u;
    return state / 4294967296.0;
}

/* Moves and weights the particles; what their weights add up to, and these times their places. */
static void move(int own, double measured, double *x, double *weight, double *sums)
{
    sums[0] = sums[1] = 0;
    for (int i = 0; i < own; i++) {
        x[i] += 0.5 * (chance() + chance() - 1);
        weight[i] = exp(-(x[i] - measured) * (x[i] - measured));
        sums[0] += weight[i];
        sums[1] += weight[i] * x[i];
    }
}

/* Each particle becomes one of those before, the more often the more that one weighs. */
static void draw(int own, double sum, const double *x, const double *weight, double *drawn)
{
    double reached = weight[0], offset = chance();
    int k = 0;
    for (int i = 0; i < own; i++) {
        while (k < own - 1 && reached < (i + offset) * sum / own)
            reached += weight[++k];
        drawn[i] = x[k];
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), steps = atoi(argv[2]), rank, ranks;
    double place = 0, measured = 0, sums[2], all[2] = { 0, 0 };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int own = n / ranks;
    double *x = malloc(own * sizeof *x), *weight = malloc(own * sizeof *x), *drawn = malloc(own * sizeof *x);
    state = rank + 1;
    for (int i = 0; i < own; i++)
        x[i] = drawn[i] = weight[i] = 0;
#pragma pamela param(n >= 1)
#pragma pamela region
    for (int step = 0; step < steps; step++) {
        if (rank == 0) {
            place += 0.1;
            measured = place + chance() - 0.5;
        }
        MPI_Bcast(&measured, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        move(own, measured, x, weight, sums);
        MPI_Allreduce(sums, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        draw(own, sums[0], x, weight, drawn);
        double *kept = x;
        x = drawn;
        drawn = kept;
    }
    if (rank == 0)
        printf("%g at %g\n", all[1] / all[0], place);
    MPI_Finalize();
    return 0;
}
