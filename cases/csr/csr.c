/* Relaxation of the equations of a grid, whose matrix is kept by compressed rows. */
#include <stdio.h>
#include <stdlib.h>

struct matrix {
    int rows, *first, *column;
    double *value;
};

static void add(struct matrix *a, int column, double value)
{
    int at = a->first[a->rows + 1]++;
    a->column[at] = column;
    a->value[at] = value;
}

/* A grid of this many points, 100 in a row. */
static struct matrix grid(int points)
{
    const int width = 100;
    struct matrix a = { 0, calloc(points + 1, sizeof(int)), malloc(4 * points * sizeof(int)), malloc(4 * points * sizeof(double)) };
    for (int i = 0; i < points; i++) {
        a.first[i + 1] = a.first[i];
        if (i >= width)
            add(&a, i - width, -1);
        if (i % width > 0)
            add(&a, i - 1, -1);
        if (i % width < width - 1 && i < points - 1)
            add(&a, i + 1, -1);
        if (i < points - width)
            add(&a, i + width, -1);
        a.rows++;
    }
    return a;
}

static void relax(const struct matrix *a, int steps, const double *b, double *x, double *y)
{
    for (int step = 0; step < steps; step++) {
#pragma omp parallel for
        for (int i = 0; i < a->rows; i++) {
            double sum = b[i];
            for (int k = a->first[i]; k < a->first[i + 1]; k++)
                sum -= a->value[k] * x[a->column[k]];
            y[i] = sum / 4;
        }
        double *kept = x;
        x = y;
        y = kept;
    }
}

int main(int argc, char **argv)
{
    int points = atoi(argv[1]), steps = atoi(argv[2]);
    struct matrix a = grid(points);
    double *b = malloc(points * sizeof *b), *x = malloc(points * sizeof *x), *y = malloc(points * sizeof *y);
    for (int i = 0; i < points; i++) {
        b[i] = 1;
        x[i] = y[i] = 0;
    }
    relax(&a, steps, b, x, y);
    printf("%.6g\n", x[0] + y[points / 2]);
    return 0;
}
