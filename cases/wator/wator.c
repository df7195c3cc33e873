/* Fish that move at random in an ocean of n x n places, for some steps. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    int steps = atoi(argv[2]);
    char *ocean = calloc(n * n, 1);
    srand(1);
    for (int i = 0; i < n * n; i++)
        ocean[i] = rand() % 4 == 0;
#pragma pamela region
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                if (ocean[i * n + j]) {
                    int next = (i + n + rand() % 3 - 1) % n * n + (j + n + rand() % 3 - 1) % n;
                    if (!ocean[next]) {
                        ocean[next] = 1;
                        ocean[i * n + j] = 0;
                    }
                }
            }
        }
    }
    printf("%d\n", ocean[0]);
    return 0;
}
