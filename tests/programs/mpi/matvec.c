/* A matrix of block rows times a vector that all ranks gather. */
#include <mpi.h>
#include <stdlib.h>

typedef struct { int rows, cols; double *a; } Matrix;

static void multiply(const Matrix *m, const double *part, double *x, double *y, MPI_Comm comm)
{
    MPI_Allgather(part, m->rows, MPI_DOUBLE, x, m->rows, MPI_DOUBLE, comm);
    for (int i = 0; i < m->rows; i++) {
        double sum = 0;
        for (int j = 0; j < m->cols; j++)
            sum += m->a[i * m->cols + j] * x[j];
        y[i] = sum;
    }
}

int main(int argc, char **argv)
{
    int me, np;
    Matrix m;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int n = atoi(argv[1]), reps = atoi(argv[2]);
    m.rows = n / np;
    m.cols = m.rows * np;
    m.a = calloc((size_t)m.rows * m.cols, sizeof(double));
    double *x = calloc(m.cols, sizeof(double)), *y = calloc(m.rows, sizeof(double));
    double *part = calloc(m.rows, sizeof(double));
    for (int r = 0; r < reps; r++)
        multiply(&m, part, x, y, MPI_COMM_WORLD);
    MPI_Reduce(me == 0 ? MPI_IN_PLACE : y, y, m.rows, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
