/* A pipeline: in each step every stage works on the item that the one before it had. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int items = atoi(argv[1]);
    int stages = atoi(argv[2]);
    int length = atoi(argv[3]);
    double *x = calloc((size_t)items * length, sizeof *x);
#pragma pamela param(items >= 1)
#pragma pamela param(stages >= 1)
#pragma pamela region
#pragma omp parallel
    for (int step = 0; step < items + stages - 1; step++) {
#pragma omp for schedule(static, 1)
        for (int s = 0; s < stages; s++) {
            int item = step - s;
            if (item >= 0 && item < items) {
                for (int k = 0; k < length; k++)
                    x[item * length + k] += s;
            }
        }
    }
    printf("%g\n", x[0]);
    return 0;
}
