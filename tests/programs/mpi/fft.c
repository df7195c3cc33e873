/* Two transforms of rows with a transpose between them. */
#include <complex.h>
#include <mpi.h>
#include <stdlib.h>

static void rows(double complex *a, int count, int n)
{
    for (int r = 0; r < count; r++)
        for (int half = 1; half < n; half *= 2)
            for (int i = 0; i < n; i += 2 * half)
                for (int j = i; j < i + half; j++) {
                    double complex t = a[r * n + j + half];
                    a[r * n + j + half] = a[r * n + j] - t;
                    a[r * n + j] += t;
                }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int m = atoi(argv[2]);
    int n = size * (1 << m);
    int count = n / size;
    double complex *a = calloc(count * n, sizeof *a), *b = calloc(count * n, sizeof *b);
    rows(a, count, 1 << m);
    MPI_Alltoall(a, count * count, MPI_C_DOUBLE_COMPLEX, b, count * count, MPI_C_DOUBLE_COMPLEX, MPI_COMM_WORLD);
    rows(b, count, 1 << m);
    MPI_Alltoall(b, 2 * count * count, MPI_DOUBLE, a, 2 * count * count, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
