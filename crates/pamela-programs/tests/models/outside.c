typedef unsigned long size_t;
void *memset(void *, int, size_t);
size_t strlen(const char *);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
int pthread_create(long *, void *, void *(*)(void *), void *);
int MPI_Send(void *, int, int, int, int, int);
void omp_set_lock(int *), omp_unset_lock(int *);
void (*signal(int, void (*)(int)))(int);
int fork(void);
void unknown(double *, int);

struct bin { int count, n; };
static int h[100], k[1000], total, locks[10];
static struct bin bins[10];

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int slow(const void *a, const void *b)
{
    for (int i = 0; i < 5; i++)
        k[i]++;
    return 0;
}

static void *worker(void *argument)
{
    for (int i = 0; i < 1000; i++)
        k[i] = i;
    return argument;
}

static void handler(int number)
{
    total = number;
}

void all(int n, struct bin *one, char *text, double *x)
{
    long thread;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        struct bin *b = &bins[k[i]];
#pragma omp atomic
        h[k[i]]++;
#pragma omp atomic
        total++;
#pragma omp atomic
        one->count += 2;
#pragma omp atomic
        b->count++;
#pragma omp critical(first)
        h[1]++;
        omp_set_lock(&locks[i % 10]);
        h[2]++;
        omp_unset_lock(&locks[i % 10]);
    }
    pthread_create(&thread, 0, worker, 0);
    MPI_Send(x, n, 0, 0, 0, 0);
    qsort(k, n, sizeof(int), compare);
    qsort(k, n, sizeof(int), slow);
    bsearch(k, k, n, sizeof(int), compare);
    total = strlen(text);
    memset(x, 0, n * sizeof(double));
    memset(bins, 0, n * sizeof(struct bin));
#pragma pamela cost(0.5 * n)
    unknown(x, n);
    unknown(x, n);
    signal(3, handler);
    fork();
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        h[i]++;
#pragma acc wait
    h[3]++;
#pragma other thing
    for (int i = 0; i < n; i++)
        h[i]++;
#pragma omp fancy
    for (int i = 0; i < n; i++)
        h[i]++;
#pragma GCC ivdep
    for (int i = 0; i < n; i++)
        h[i]++;
#pragma omp for
    for (int i = 0; i < n; i++)
        h[i]++;
#pragma omp parallel for if (n > 100)
    for (int i = 0; i < n; i++)
        h[i]++;
}

int main(void)
{
    struct bin one;
    double x[1000];
    all(1000, &one, "text", x);
    return 0;
}
