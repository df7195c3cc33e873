/* Straight selection sort of n random numbers. */
#include <stdio.h>
#include <stdlib.h>

static void sort(int n, double *x)
{
    for (int i = 0; i < n - 1; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++) {
            if (x[j] < x[least])
                least = j;
        }
        double kept = x[i];
        x[i] = x[least];
        x[least] = kept;
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double *x = malloc(n * sizeof *x);
    srand(argc > 2 ? atoi(argv[2]) : 1);
    for (int i = 0; i < n; i++)
        x[i] = rand() / (double)RAND_MAX;
    sort(n, x);
    printf("%g %g\n", x[0], x[n - 1]);
    return 0;
}
