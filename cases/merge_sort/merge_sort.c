/* Sorts n numbers by halves, which are merged. */
#include <stdio.h>
#include <stdlib.h>

static void sort(int n, int *x, int *work)
{
    if (n < 2)
        return;
    int half = n / 2;
    sort(half, x, work);
    sort(n - half, x + half, work);
    int i = 0, j = half;
    for (int k = 0; k < n; k++)
        work[k] = j >= n || (i < half && x[i] <= x[j]) ? x[i++] : x[j++];
    for (int k = 0; k < n; k++)
        x[k] = work[k];
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    int *x = malloc(n * sizeof *x), *work = malloc(n * sizeof *work);
    srand(atoi(argv[2]));
    for (int i = 0; i < n; i++)
        x[i] = rand();
    sort(n, x, work);
    printf("%d %d\n", x[0], x[n - 1]);
    return 0;
}
