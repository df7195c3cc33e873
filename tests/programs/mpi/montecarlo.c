/* Pi by chance, with threads in each rank. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int provided, rank, size;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long long n = atoll(argv[1]), hits = 0, all = 0;
    long long mine = n / size;
#pragma omp parallel for reduction(+ : hits)
    for (long long i = 0; i < mine; i++) {
        unsigned long long s = (i * size + rank) * 6364136223846793005ull + 1442695040888963407ull;
        double x = (double)(s >> 40) / (1 << 24), y = (double)((s >> 16) & 0xffffff) / (1 << 24);
        hits += x * x + y * y <= 1;
    }
    MPI_Reduce(&hits, &all, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%f\n", 4.0 * all / (mine * size));
    MPI_Finalize();
    return 0;
}
