// cnt = 2*n
// hits = n
// seen = P
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), cnt = 0;
    double s = 0;
#pragma omp parallel for reduction(+:cnt) reduction(+:s)
    for (int i = 0; i < n; i++) {
        cnt += 2;
        if (i % 3 == 0)
            s += 1.0;
    }
    for (int k = 0; k < cnt; k++)
        s += 2.0;
    int hits = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp critical
        hits++;
    }
    for (int k = 0; k < hits; k++)
        s += 3.0;
    int seen = 0;
#pragma omp parallel
    {
#pragma omp atomic
        seen += 1;
    }
    for (int k = 0; k < seen; k++)
        s += 4.0;
    printf("%g\n", s);
}
