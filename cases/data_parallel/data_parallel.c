/* Data-parallel codes for p processors, each with a memory of its own: pragmas say who owns what is computed, and what
   is sent. */
#include <stdlib.h>
#include <string.h>
#pragma pamela param(p >= 1)
#pragma pamela param(b >= 1)
#pragma pamela param(n >= 1)
#pragma pamela param(t_compare >= 0)

/* Columns of b and c in blocks of so many; the row of a goes to all. */
void matmul(int n, int block, double a[n][n], double b[n][n], double c[n][n], double row[n])
{
    for (int i = 0; i < n; i++) {
#pragma pamela message(n)
        memcpy(row, a[i], n * sizeof *row);
#pragma pamela map(j div block)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += row[k] * b[k][j];
            c[i][j] = sum;
        }
    }
}

/* Sweeps along the rows, which lie on one processor each. */
void adi(int n, int block, double x[n][n], double a[n][n])
{
#pragma pamela map(i div block)
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n; j++)
            x[i][j] -= a[i][j] * x[i][j - 1];
}

/* Columns are dealt out in turn; that of the pivot goes to all. */
void gauss(int n, int p, double a[n][n], double column[n])
{
    for (int k = 0; k < n - 1; k++) {
#pragma pamela message(n - k - 1)
        for (int i = k + 1; i < n; i++)
            column[i] = a[i][k] / a[k][k];
        for (int i = k + 1; i < n; i++)
#pragma pamela map(j mod p)
            for (int j = k + 1; j < n; j++)
                a[i][j] -= column[i] * a[k][j];
    }
}

int compare(const void *x, const void *y)
{
    return (*(double *)x > *(double *)y) - (*(double *)x < *(double *)y);
}

/* Each processor sorts its block; the pivots come from samples, go to all, and tell where numbers go. */
void psrs(int n, int p, double x[n], double sample[p * p])
{
    int size = n / p;
#pragma pamela map(q)
    for (int q = 0; q < p; q++) {
#pragma pamela cost(t_compare * size * log(size))
        qsort(x + q * size, size, sizeof *x, compare);
        for (int i = 0; i < p; i++)
            sample[q * p + i] = x[q * size + i * (size / p)];
    }
#pragma pamela message(p * p)
    qsort(sample, p * p, sizeof *sample, compare);
    for (int q = 0; q < p; q++)
#pragma pamela message(p)
        ;
    for (int q = 0; q < p; q++)
#pragma pamela message(size)
        ;
#pragma pamela map(q)
    for (int q = 0; q < p; q++)
#pragma pamela cost(t_compare * size * log(size))
        qsort(x + q * size, size, sizeof *x, compare);
}
