int atoi(const char *);
double rand_of(int);

#pragma pamela cost(a * n * log2(n))
static void sort(int n, double *x)
{
    if (n > 1) {
        sort(n / 2, x);
        sort(n - n / 2, x + n / 2);
    }
}

int main(int argc, char **argv)
{
#pragma pamela param(n >= 2)
    int n = atoi(argv[1]);
#pragma pamela param(a >= 0)
    double x[n];
#pragma pamela ignore
    for (int i = 0; i < n; i++)
        x[i] = rand_of(i);
#pragma pamela region
    {
        sort(n, x);
        for (int i = 0; i < n; i++) {
#pragma pamela prob(1 / n)
            if (x[i] > 0)
                x[i] = 1;
#pragma pamela trips(bernoulli(1 / 2))
            while (x[i] < 3)
                x[i] += 1;
        }
#pragma pamela cost(3 * a)
        x[0] = 2;
    }
    return 0;
}
