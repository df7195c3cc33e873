/* The embarrassingly parallel kernel: pairs of random numbers, and how many of them lie in the unit disc. */
#include <stdio.h>
#include <stdlib.h>

static double next_number(unsigned long *state)
{
    *state = (*state * 6364136223846793005ul + 1442695040888963407ul);
    return (*state >> 11) / 9007199254740992.0;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    int batch = 1024;
    long inside = 0;
#pragma omp parallel for reduction(+ : inside) schedule(static)
    for (int k = 0; k < n; k++) {
        unsigned long state = 271828183ul + k;
        for (int i = 0; i < batch; i++) {
            double x = 2 * next_number(&state) - 1;
            double y = 2 * next_number(&state) - 1;
            if (x * x + y * y <= 1)
                inside++;
        }
    }
    printf("%ld\n", inside);
    return 0;
}
