/* Scales those elements of a vector that are above a limit. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double *x = malloc(n * sizeof *x);
    srand(argc > 2 ? atoi(argv[2]) : 1);
    for (int i = 0; i < n; i++)
        x[i] = rand() / (double)RAND_MAX;
#pragma pamela region
    for (int i = 0; i < n; i++) {
        if (x[i] > 0.25)
            x[i] = x[i] * 3.0 + 1.0;
    }
    printf("%g\n", x[n / 2]);
    return 0;
}
