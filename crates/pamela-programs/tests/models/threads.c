int atoi(const char *);
int omp_get_thread_num(void);
int omp_get_num_threads(void);

static void scale(int n, double *x)
{
#pragma omp for schedule(static, 1)
    for (int i = 0; i < n; i++)
        x[i] *= 2;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double s = 0, x[n], y[n];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = i;
#pragma omp parallel for reduction(+ : s) schedule(static, 1)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            s += x[i];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            y[i] += x[j];
#pragma omp parallel for schedule(dynamic, 4)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            y[i] += x[j];
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < n; i++)
        y[i] += 1;
#pragma omp parallel
    {
        int id = omp_get_thread_num(), threads = omp_get_num_threads();
        for (int i = id; i < n; i += threads)
            x[i] *= 2;
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            y[i] += 1;
#pragma omp critical
        s += y[id];
#pragma omp barrier
#pragma omp for collapse(2) schedule(static, 2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 10; j++)
                y[i] += j;
#pragma omp single
        {
            s = 0;
        }
#pragma omp sections
        {
#pragma omp section
            for (int i = 0; i < n; i++)
                x[i] = 0;
#pragma omp section
            for (int i = 0; i < n; i++)
                y[i] = 0;
        }
        for (int k = 0; k < n; k++) {
#pragma omp for
            for (int i = k + 1; i < n; i++)
                x[i] -= x[k];
        }
        scale(n, x);
#pragma omp master
        s += 1;
#pragma omp atomic
        s += 2;
    }
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
#pragma omp task
        for (int j = 0; j < i; j++)
            x[i] += j;
    }
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < n; i++)
        y[i] = 1;
    return 0;
}
