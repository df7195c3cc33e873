/* Speculative search: each thread looks for a key in its part of an array, until one has found it. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    int key = atoi(argv[2]);
    int *x = malloc(n * sizeof *x);
    int found = -1;
    srand(1);
    for (int i = 0; i < n; i++)
        x[i] = rand() % n;
#pragma pamela region
    for (int i = 0; i < n; i++) {
        if (x[i] == key) {
            found = i;
            break;
        }
    }
    printf("%d\n", found);
    return 0;
}
