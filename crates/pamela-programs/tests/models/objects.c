typedef unsigned long size_t;
int atoi(const char *);
int scanf(const char *, ...);
void *malloc(size_t);
void *calloc(size_t, size_t);

struct part { int n, m; };
typedef struct { int rows, cols; struct part inner, *far; double *data; struct part parts[3]; } grid;

static int quota = 10, fixed = 7;
extern int elsewhere;
int later;
static volatile int waited = 3;
static int aimed = 5, *aim = &aimed;
static grid world;
static double total;

static void set(int k)
{
    quota = k;
}

static grid *make(int rows, int cols)
{
    grid *made = malloc(sizeof(grid));
    made->rows = rows;
    made->cols = cols;
    made->data = calloc(rows * cols, sizeof(double));
    return made;
}

static void sum(const grid *g)
{
    for (int i = 0; i < g->rows; i++)
        for (int j = 0; j < g->cols; j++)
            total += g->data[i * g->cols + j];
}

static void shrink(struct part *list, int depth)
{
    list->n--;
    if (depth > 0)
        shrink(list, depth - 1);
}

static int next(void)
{
    static int calls = 4;
    for (int i = 0; i < calls; i++)
        total++;
    return calls++;
}

void given(grid *one, grid *other, struct part by_value, int k)
{
    for (int i = 0; i < one->rows; i++)
        total += 1;
    for (int i = 0; i < one->rows; i++)
        total += 2;
    for (int i = 0; i < one->far->n + one->parts[1].m; i++)
        total += 3;
    for (int i = 0; i < one->parts[k].m; i++)
        total += 4;
    other->rows = k;
    for (int i = 0; i < one->rows; i++)
        total += 5;
    for (int i = 0; i < other->rows; i++)
        total += 6;
    for (int i = 0; i < one->cols; i++)
        other->cols = 3;
    shrink(&one->inner, 3);
    for (int i = 0; i < one->inner.n; i++)
        total += 7;
    by_value.n = 2;
    for (int i = 0; i < by_value.n; i++)
        total += 8;
    *other = world;
    for (int i = 0; i < one->cols; i++)
        total += 9;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    grid local, *made = make(n, n + 1);
    struct part by_value;
    for (int i = 0; i < quota; i++)
        total += 10;
    set(n);
    for (int i = 0; i < quota; i++)
        total += 11;
    for (int i = 0; i < fixed; i++)
        total += 12;
    for (int i = 0; i < elsewhere; i++)
        total += 13;
    for (int i = 0; i < elsewhere; i++)
        total += 14;
    for (int i = 0; i < later; i++)
        total += 15;
    for (int i = 0; i < waited; i++)
        total += 16;
    for (int i = 0; i < aimed; i++)
        total += 17;
    scanf("%d", &local.rows);
    local.cols = 3 * n;
    for (int i = 0; i < local.rows; i++)
        for (int j = 0; j < local.cols; j++)
            total += 18;
    sum(made);
    sum(&local);
    by_value.n = n;
    given(made, &world, by_value, n);
    for (int i = 0; i < by_value.n; i++)
        total += 19;
    next();
    next();
    return 0;
}
