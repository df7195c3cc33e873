/* Shortest paths from one of n nodes with m edges each, by Bellman and Ford: until nothing changes. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    int *to = malloc(n * m * sizeof *to);
    int *length = malloc(n * m * sizeof *length);
    int *d = malloc(n * sizeof *d);
    srand(1);
    for (int e = 0; e < n * m; e++) {
        to[e] = rand() % n;
        length[e] = 1 + rand() % 100;
    }
    for (int i = 0; i < n; i++)
        d[i] = i == 0 ? 0 : 1000000;
    int changed = 1;
#pragma pamela region
    while (changed) {
        changed = 0;
        for (int i = 0; i < n; i++) {
            for (int e = i * m; e < (i + 1) * m; e++) {
                if (d[i] + length[e] < d[to[e]]) {
                    d[to[e]] = d[i] + length[e];
                    changed = 1;
                }
            }
        }
    }
    printf("%d\n", d[n - 1]);
    return 0;
}
