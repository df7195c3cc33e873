/* All shortest paths between n nodes, by Floyd's algorithm. */
#include <stdio.h>
#include <stdlib.h>

static void paths(int n, int *d)
{
#pragma omp parallel
    for (int k = 0; k < n; k++) {
#pragma omp for
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                int way = d[i * n + k] + d[k * n + j];
                if (way < d[i * n + j])
                    d[i * n + j] = way;
            }
        }
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    int *d = malloc(n * n * sizeof *d);
    srand(1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            d[i * n + j] = i == j ? 0 : 1 + rand() % 100;
    paths(n, d);
    printf("%d\n", d[n - 1]);
    return 0;
}
