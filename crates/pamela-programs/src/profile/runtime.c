/* Counts of branches, loops and messages, values, and the time of a region: linked to a program that is profiled. Each rank of a
   program of MPI writes a report of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef PAMELA_MPI
#include <mpi.h>
#endif

#ifndef PAMELA_SITES
#define PAMELA_SITES 1
#endif
#define WIDTHS 24
#define BINS 40
#define SUMS 14

typedef unsigned long long count;
typedef unsigned __int128 wide;

struct pamela_loop { int site; count trips; };
struct pamela_region { count begin; };

struct site {
    count calls, taken;
    /* Powers of the iterations of a loop. */
    wide trips[4];
    /* By the number of the trial since the loop around began, 1, 2-3, 4-7, ..; and the sums of these numbers. */
    count position, calls_at[BINS], taken_at[BINS], positions[BINS];
    /* Runs: how many have ended, whether the present one is of taken trials, its length, the one before. */
    count runs, length, up;
    int last;
    /* Cycles of a run of taken trials and one of others: their number, then sums of products of the lengths. */
    count cycles;
    wide sums[SUMS];
    /* Windows of 2^k trials: taken before the present one, how many, squares of what was taken in each. */
    count before[WIDTHS], windows[WIDTHS];
    wide squares[WIDTHS];
    /* Of the present call of MPI: its messages, their elements, the bytes of one, and which of these are known; then the
       bytes of all calls. */
    count messages, elements, size, bytes;
    int known;
    /* Of what a variable holds: whether this site is one, and the sum. */
    int is_value;
    long long sum;
};

struct thread { struct site sites[PAMELA_SITES]; struct thread *next; };

static struct thread *threads;
static __thread struct thread *own;
static count begun, whole, region, regions;
static int has_region, rank, ranks = 1;
/* A function that calls itself is timed from its first call. */
static __thread int inside;

static struct site *site(int number)
{
    if (!own) {
        own = calloc(1, sizeof *own);
        if (!own)
            abort();
        do
            own->next = __atomic_load_n(&threads, __ATOMIC_ACQUIRE);
        while (!__sync_bool_compare_and_swap(&threads, own->next, own));
    }
    return &own->sites[number];
}

/* Of lengths u and d: u, d, uu, ud, dd, uuu, uud, udd, ddd, uuuu, .. */
static void cycle(struct site *s, count up, count down)
{
    int at = 0;
    s->cycles++;
    for (int degree = 1; degree <= 4; degree++) {
        for (int downs = 0; downs <= degree; downs++) {
            wide product = 1;
            for (int k = 0; k < degree; k++)
                product *= k < degree - downs ? up : down;
            s->sums[at++] += product;
        }
    }
}

int pamela_probe(int number, int holds)
{
    struct site *s = site(number);
    s->calls++;
    s->taken += holds;
    s->position++;
    int bin = 63 - __builtin_clzll(s->position);
    if (bin < BINS) {
        s->calls_at[bin]++;
        s->taken_at[bin] += holds;
        s->positions[bin] += s->position;
    }
    if (s->length && s->last == holds) {
        s->length++;
    } else {
        if (s->length) {
            s->runs++;
            /* The first run may have begun before. */
            if (s->last) {
                s->up = s->runs > 1 ? s->length : 0;
            } else if (s->up) {
                cycle(s, s->up, s->length);
                s->up = 0;
            }
        }
        s->last = holds;
        s->length = 1;
    }
    for (int k = 0; k < WIDTHS && !(s->calls & (((count)1 << k) - 1)); k++) {
        wide inside = s->taken - s->before[k];
        s->before[k] = s->taken;
        s->windows[k]++;
        s->squares[k] += inside * inside;
    }
    return holds;
}

void pamela_restart(int number)
{
    site(number)->position = 0;
}

static void add(long long *sum, long long value)
{
    if (__builtin_add_overflow(*sum, value, sum))
        *sum = value < 0 ? -__LONG_LONG_MAX__ - 1 : __LONG_LONG_MAX__;
}

void pamela_value(int number, long long value)
{
    /* A function that calls itself is given the values of its first call. */
    if (inside > 1)
        return;
    struct site *s = site(number);
    s->calls++;
    s->is_value = 1;
    add(&s->sum, value);
}

void pamela_loop_end(struct pamela_loop *loop)
{
    struct site *s = site(loop->site);
    wide power = 1;
    s->calls++;
    for (int k = 0; k < 4; k++)
        s->trips[k] += power *= loop->trips;
}

static count now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ull + t.tv_nsec;
}

#ifdef PAMELA_MPI
/* Between MPI_Init and MPI_Finalize. */
static int is_together;

static void meet(void)
{
    if (is_together)
        PMPI_Barrier(MPI_COMM_WORLD);
}

/* The longest time of all ranks, which lets none go on before all are here. */
static count longest(count time)
{
    count most = time;
    if (is_together)
        PMPI_Allreduce(&time, &most, 1, MPI_UNSIGNED_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

/* What the arguments of a call say, in whatever order they are evaluated. */
enum { ELEMENTS = 1, SIZE = 2 };

static void know(struct site *s, int what)
{
    s->known |= what;
    if (s->known != (ELEMENTS | SIZE))
        return;
    s->known = 0;
    s->calls += s->messages;
    s->bytes += s->elements * s->size;
}

int pamela_elements(int number, int elements)
{
    struct site *s = site(number);
    s->messages = 1;
    s->elements = elements > 0 ? elements : 0;
    know(s, ELEMENTS);
    return elements;
}

/* A message to each other rank. */
const int *pamela_each(int number, const int *elements)
{
    struct site *s = site(number);
    s->messages = s->elements = 0;
    for (int to = 0; to < ranks; to++) {
        if (to == rank)
            continue;
        s->messages++;
        s->elements += elements[to] > 0 ? elements[to] : 0;
    }
    know(s, ELEMENTS);
    return elements;
}

void pamela_type(int number, const void *type)
{
    struct site *s = site(number);
    int size = 0;
    PMPI_Type_size(*(const MPI_Datatype *)type, &size);
    s->size = size > 0 ? size : 0;
    know(s, SIZE);
}

static int started(int status)
{
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    is_together = 1;
    meet();
    begun = now();
    return status;
}

/* Weak: a program may have such functions of its own. */
__attribute__((weak)) int MPI_Init(int *argc, char ***argv)
{
    return started(PMPI_Init(argc, argv));
}

__attribute__((weak)) int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return started(PMPI_Init_thread(argc, argv, required, provided));
}

__attribute__((weak)) int MPI_Finalize(void)
{
    whole = longest(now() - begun);
    is_together = 0;
    return PMPI_Finalize();
}
#else
static void meet(void)
{
}

static count longest(count time)
{
    return time;
}
#endif

struct pamela_region pamela_region_begin(void)
{
    struct pamela_region r = { 0 };
    has_region = 1;
    if (inside++ == 0) {
        meet();
        r.begin = now();
    }
    return r;
}

void pamela_region_end(struct pamela_region *r)
{
    if (--inside > 0)
        return;
    count time = longest(now() - r->begin);
    __atomic_fetch_add(&region, time, __ATOMIC_RELAXED);
    __atomic_fetch_add(&regions, 1, __ATOMIC_RELAXED);
}

__attribute__((constructor)) static void begin(void)
{
    begun = now();
}

static void number(FILE *file, wide value)
{
    char digits[40];
    int at = sizeof digits;
    digits[--at] = 0;
    do
        digits[--at] = '0' + (int)(value % 10);
    while (value /= 10);
    fprintf(file, " %s", digits + at);
}

__attribute__((destructor)) static void end(void)
{
    count ended = now();
    const char *stem = getenv("PAMELA_PROFILE");
    char name[4096];
    if (!stem || snprintf(name, sizeof name, "%s.%d", stem, rank) >= (int)sizeof name)
        return;
    FILE *file = fopen(name, "w");
    if (!file)
        return;
    fprintf(file, "rank %d %d\n", rank, ranks);
    fprintf(file, "time %llu %llu\n", has_region ? region : whole ? whole : ended - begun, has_region ? regions : 1);
    for (int k = 0; k < PAMELA_SITES; k++) {
        static struct site all;
        all = (struct site){0};
        for (struct thread *t = threads; t; t = t->next) {
            struct site *s = &t->sites[k];
            all.calls += s->calls;
            all.taken += s->taken;
            all.cycles += s->cycles;
            all.bytes += s->bytes;
            all.is_value |= s->is_value;
            add(&all.sum, s->sum);
            for (int i = 0; i < 4; i++)
                all.trips[i] += s->trips[i];
            for (int i = 0; i < SUMS; i++)
                all.sums[i] += s->sums[i];
            for (int i = 0; i < BINS; i++) {
                all.calls_at[i] += s->calls_at[i];
                all.taken_at[i] += s->taken_at[i];
                all.positions[i] += s->positions[i];
            }
            for (int i = 0; i < WIDTHS; i++) {
                all.before[i] += s->before[i];
                all.windows[i] += s->windows[i];
                all.squares[i] += s->squares[i];
            }
        }
        if (!all.calls)
            continue;
        fprintf(file, "site %d %llu %llu", k, all.calls, all.taken);
        fprintf(file, "\ntrips");
        for (int i = 0; i < 4; i++)
            number(file, all.trips[i]);
        fprintf(file, "\ncycles %llu", all.cycles);
        for (int i = 0; i < SUMS; i++)
            number(file, all.sums[i]);
        fprintf(file, "\nposition");
        for (int i = 0; i < BINS && all.calls_at[i]; i++)
            fprintf(file, " %llu %llu %llu", all.calls_at[i], all.taken_at[i], all.positions[i]);
        fprintf(file, "\nwindows");
        for (int i = 0; i < WIDTHS && all.windows[i]; i++) {
            fprintf(file, " %llu %llu", all.windows[i], all.before[i]);
            number(file, all.squares[i]);
        }
        fprintf(file, "\nbytes %llu\nsum", all.bytes);
        if (all.is_value)
            fprintf(file, " %lld", all.sum);
        fprintf(file, "\n");
    }
    fprintf(file, "end\n");
    fclose(file);
}
