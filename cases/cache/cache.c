/* A direct mapped cache of m lines, asked n times: a miss fetches the line. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    int words = 16;
    long *tag = malloc(m * sizeof *tag);
    double *line = calloc((size_t)m * words, sizeof *line);
    double sum = 0;
    for (int i = 0; i < m; i++)
        tag[i] = -1;
    srand(1);
#pragma pamela region
    for (int i = 0; i < n; i++) {
        long address = rand() % (4 * m);
        int at = address % m;
        if (tag[at] != address) {
            tag[at] = address;
            for (int k = 0; k < words; k++)
                line[at * words + k] = address + k;
        }
        sum += line[at * words];
    }
    printf("%g\n", sum);
    return 0;
}
