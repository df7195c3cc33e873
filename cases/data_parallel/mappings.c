/* The codes of data_parallel.c with other mappings: block neighbours lie on one processor. */
#pragma pamela param(n >= 1)
#pragma pamela param(block >= 1)

/* Sweeps along rows whose columns lie on different processors: all rows at once, as through a pipeline; the last number of
   a block goes to the processor of the next one. */
void adi_pipelined(int n, int block, double x[n][n + 1], double a[n][n])
{
#pragma pamela map(all)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
#pragma pamela on(j div block)
            x[i][j + 1] -= a[i][j] * x[i][j];
            if (j % block == block - 1) {
#pragma pamela message(1)
                ;
            }
        }
}

/* The same a column at a time; the last column of a block goes to the next one as a whole. */
void adi_columns(int n, int block, double x[n][n + 1], double a[n][n])
{
    for (int j = 0; j < n; j++) {
#pragma pamela map(j div block)
        for (int i = 0; i < n; i++)
            x[i][j + 1] -= a[i][j] * x[i][j];
        if (j % block == block - 1) {
#pragma pamela message(n)
            ;
        }
    }
}

/* Elimination with blocks of columns, counted from the last one. */
void gauss_block(int n, int block, double a[n][n], double column[n])
{
    for (int k = 0; k < n - 1; k++) {
#pragma pamela message(n - k - 1)
        for (int i = k + 1; i < n; i++)
            column[i] = a[i][k] / a[k][k];
        for (int i = k + 1; i < n; i++)
#pragma pamela map((n - 1 - j) div block)
            for (int j = k + 1; j < n; j++)
                a[i][j] -= column[i] * a[k][j];
    }
}
