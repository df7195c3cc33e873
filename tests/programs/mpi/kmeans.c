/* Clusters of points: centres are shared by a broadcast and summed up by all. */
#include <float.h>
#include <mpi.h>
#include <stdlib.h>

#define K 8
#define D 3

static void assign(int n, const double *points, const double *centres, double *sums, int *counts)
{
    for (int i = 0; i < K * D; i++)
        sums[i] = 0;
    for (int i = 0; i < K; i++)
        counts[i] = 0;
    for (int i = 0; i < n; i++) {
        int best = 0;
        double least = DBL_MAX;
        for (int k = 0; k < K; k++) {
            double d = 0;
            for (int c = 0; c < D; c++)
                d += (points[i * D + c] - centres[k * D + c]) * (points[i * D + c] - centres[k * D + c]);
            if (d < least) {
                least = d;
                best = k;
            }
        }
        counts[best]++;
        for (int c = 0; c < D; c++)
            sums[best * D + c] += points[i * D + c];
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int total = atoi(argv[1]), rounds = atoi(argv[2]), n = total / size;
    double *all = NULL, *points = malloc(n * D * sizeof(double)), centres[K * D], sums[K * D];
    int counts[K];
    if (rank == 0) {
        all = malloc(total * D * sizeof(double));
        for (int i = 0; i < total * D; i++)
            all[i] = rand() / (double)RAND_MAX;
        for (int i = 0; i < K * D; i++)
            centres[i] = all[i % (total * D)];
    }
    MPI_Scatter(all, n * D, MPI_DOUBLE, points, n * D, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(centres, K * D, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int round = 0; round < rounds; round++) {
        assign(n, points, centres, sums, counts);
        MPI_Allreduce(MPI_IN_PLACE, sums, K * D, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, counts, K, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        for (int k = 0; k < K; k++)
            if (counts[k])
                for (int c = 0; c < D; c++)
                    centres[k * D + c] = sums[k * D + c] / counts[k];
    }
    free(points);
    MPI_Finalize();
    return 0;
}
