/* The Fourier transform of n complex numbers, n a power of two: the even ones and the odd ones are transformed alone. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void transform(int n, int stride, const double complex *x, double complex *y, const double complex *roots)
{
    if (n == 1) {
        y[0] = x[0];
        return;
    }
    transform(n / 2, 2 * stride, x, y, roots);
    transform(n / 2, 2 * stride, x + stride, y + n / 2, roots);
    for (int k = 0; k < n / 2; k++) {
        double complex odd = roots[k * stride] * y[k + n / 2];
        y[k + n / 2] = y[k] - odd;
        y[k] += odd;
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), times = atoi(argv[2]);
    double complex *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), *roots = malloc(n * sizeof *roots);
    for (int i = 0; i < n; i++) {
        x[i] = i % 7;
        y[i] = 0;
        roots[i] = cexp(-2 * acos(-1) * I * i / n);
    }
#pragma pamela region
    for (int time = 0; time < times; time++)
        transform(n, 1, x, y, roots);
    printf("%.6g\n", creal(y[n / 2]));
    return 0;
}
