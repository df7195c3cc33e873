int atoi(const char *);
static int size[2];
static int offset;

static int larger(int a, int b)
{
    if (a > b)
        return a;
    return b;
}

static void fill(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = 0;
}

static double power(double x, int n)
{
    return n == 0 ? 1 : x * power(x, n - 1);
}

static double apply(double (*function)(double), int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += function(i);
    return s;
}

static int find(int n, const double *x)
{
    for (int i = 0; i < n; i++)
        if (x[i] > 1)
            return i;
    return -1;
}

static void set(int n)
{
    offset = n + 1;
}

int main(int argc, char **argv)
{
    size[0] = atoi(argv[1]);
    size[1] = 2 * size[0];
    double x[100];
    fill(size[0], x);
    for (int i = 0; i < larger(size[0], 10); i++)
        fill(i, x);
    set(size[1]);
    fill(offset, x);
    x[0] = power(x[1], 3);
    x[1] = apply(0, size[0]);
    x[2] = find(size[0], x);
    return 0;
}
