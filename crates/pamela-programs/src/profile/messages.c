/* Records the MPI calls of a rank in a file. `pamela profile --mpi` preloads this library. It defines the names PMPI_.. and
   their aliases MPI_..: the bindings of Fortran call the former, C and C++ the latter. A line for each call has its name, its
   place, the nanoseconds of the processor since the call before, the communicator, the receiver or root and bytes sent, the sender and bytes
   received, and the request. Ranks are those of MPI_COMM_WORLD; -1 is nobody and -2 is anybody. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_CALLS = 1000000, MOST_SITES = 1 << 14, MOST_COMMS = 1024, DEPTH = 32, NOBODY = -1, ANYBODY = -2 };

static FILE *report;
static long calls, unknown;
static int done_all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int inside;
static __thread double last, gap;
static __thread void *caller;
static struct { uint64_t key; int number; } sites[MOST_SITES];
static struct { MPI_Comm comm; int number, size, *world; } comms[MOST_COMMS];
static int site_count, comm_count, comm_numbers;

static uint64_t mix(uint64_t hash, uint64_t value) { return (hash ^ value) * 0x9e3779b97f4a7c15u ^ hash >> 29; }

/* The number of the calls on the stack; the same calls have the same key in every rank and run. */
static int site(void)
{
    void *stack[DEPTH];
    int depth = backtrace(stack, DEPTH), from = 0;
    uint64_t key = 1, moved = 1;
    while (from < depth && stack[from] != caller)
        from++;
    for (int k = from; k < depth; k++)
        key = mix(key, (uintptr_t)stack[k]);
    uint64_t place = key % MOST_SITES;
    while (sites[place].key && sites[place].key != key)
        place = (place + 1) % MOST_SITES;
    if (sites[place].key)
        return sites[place].number;
    if (site_count == MOST_SITES / 2)
        return -1;
    for (int k = from; k < depth; k++) {
        Dl_info info;
        if (!dladdr(stack[k], &info))
            continue;
        moved = mix(moved, (uintptr_t)stack[k] - (uintptr_t)info.dli_fbase);
        for (const char *c = info.dli_fname; *c; c++)
            moved = mix(moved, *c);
    }
    sites[place].key = key;
    sites[place].number = site_count;
    fprintf(report, "site %d %llx\n", site_count, (unsigned long long)moved);
    return site_count++;
}

/* The place of a communicator in the table; each is written with its ranks once. */
static int communicator(MPI_Comm comm)
{
    for (int k = 0; k < comm_count; k++)
        if (comms[k].comm == comm)
            return k;
    int between = 0;
    PMPI_Comm_test_inter(comm, &between);
    if (between || comm_count == MOST_COMMS)
        return -1;
    MPI_Group all, own;
    int size;
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Comm_group(comm, &own);
    PMPI_Group_size(own, &size);
    int *list = malloc(2 * size * sizeof *list);
    for (int k = 0; k < size; k++)
        list[k] = k;
    PMPI_Group_translate_ranks(own, size, list, all, list + size);
    memmove(list, list + size, size * sizeof *list);
    PMPI_Group_free(&all);
    PMPI_Group_free(&own);
    comms[comm_count].comm = comm;
    comms[comm_count].number = comm_numbers++;
    comms[comm_count].size = size;
    comms[comm_count].world = list;
    fprintf(report, "comm %d", comms[comm_count].number);
    for (int k = 0; k < size; k++)
        fprintf(report, " %d", list[k]);
    fprintf(report, "\n");
    return comm_count++;
}

static void forget(MPI_Comm comm)
{
    for (int k = 0; k < comm_count; k++)
        if (comms[k].comm == comm) {
            free(comms[k].world);
            comms[k] = comms[--comm_count];
            return;
        }
}

static long long bytes(double count, MPI_Datatype type)
{
    int size = 0;
    if (count > 0)
        PMPI_Type_size(type, &size);
    return count * size;
}

/* The mean over all ranks. */
static double mean(const int *counts, MPI_Comm comm)
{
    int size;
    double sum = 0;
    PMPI_Comm_size(comm, &size);
    for (int k = 0; k < size; k++)
        sum += counts[k];
    return sum / size;
}

static int world(int partner, int comm)
{
    if (partner == MPI_ANY_SOURCE)
        return ANYBODY;
    return partner < 0 || comm < 0 || partner >= comms[comm].size ? NOBODY : comms[comm].world[partner];
}

static void write_call(const char *name, int shift, MPI_Comm comm, int to, long long sent, int from, long long received, uint64_t request)
{
    if (calls++ >= MOST_CALLS)
        return;
    int known = comm == MPI_COMM_NULL ? -1 : communicator(comm);
    if (comm != MPI_COMM_NULL && known < 0)
        unknown++;
    int at = site();
    fprintf(report, "%s %d %d %.0f %d %d %lld %d %lld %llx\n", name, at, shift, gap, known < 0 ? -1 : comms[known].number,
        world(to, known), sent, world(from, known), received, (unsigned long long)request);
    gap = 0;
}

/* A completed request, with where its message came from. */
static void done(MPI_Request request, MPI_Status *status)
{
    int count = 0;
    if (request == MPI_REQUEST_NULL || calls > MOST_CALLS)
        return;
    PMPI_Get_count(status, MPI_BYTE, &count);
    fprintf(report, "done %llx %d %d\n", (unsigned long long)(uintptr_t)request, status->MPI_SOURCE, count);
}

static int came(MPI_Status *status)
{
    int count = 0;
    PMPI_Get_count(status, MPI_BYTE, &count);
    return count == MPI_UNDEFINED ? 0 : count;
}

static void begin(void)
{
    const char *base = getenv("PAMELA_PROFILE");
    char name[4096];
    int rank, size;
    if (!base || report)
        return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(name, sizeof name, "%s.%d", base, rank);
    report = fopen(name, "w");
    if (report)
        fprintf(report, "rank %d %d\n", rank, size);
}

static void end(void)
{
    if (report) {
        fprintf(report, "end %ld %ld\n", calls, unknown);
        fclose(report);
    }
    report = NULL;
    done_all = 1;
}

/* The time of the processor: more ranks than cores do no harm. */
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static void enter(void *from)
{
    if (inside++ == 0) {
        caller = from;
        gap = now() - last;
    }
}

static void leave(void)
{
    int initialized = 0, finalized = 0;
    if (--inside > 0)
        return;
    if (!report && !done_all) {
        PMPI_Initialized(&initialized);
        PMPI_Finalized(&finalized);
        if (initialized && !finalized)
            begin();
    }
    last = now();
}

#define WRAP(name, parameters, arguments, before, record) \
    int P##name parameters \
    { \
        static int(*real) parameters; \
        if (!real) \
            real = (int(*) parameters)dlsym(RTLD_NEXT, "P" #name); \
        before; \
        enter(__builtin_return_address(0)); \
        int result = real arguments; \
        if (inside == 1 && report && result == MPI_SUCCESS) { \
            pthread_mutex_lock(&lock); \
            record; \
            pthread_mutex_unlock(&lock); \
        } \
        leave(); \
        return result; \
    } \
    int name parameters __attribute__((alias("P" #name)));

#define HANDLE ((uint64_t)(uintptr_t)*r)
#define STATUS MPI_Status own; if (s == MPI_STATUS_IGNORE) s = &own
#define ENVELOPE void *b, int n, MPI_Datatype t, int p, int tag, MPI_Comm c
#define SEND(name) WRAP(MPI_##name, (const ENVELOPE), (b, n, t, p, tag, c), , write_call(#name, 0, c, p, bytes(n, t), MPI_PROC_NULL, 0, 0))
#define START(name, constant) WRAP(MPI_##name, (constant ENVELOPE, MPI_Request *r), (b, n, t, p, tag, c, r), , \
    write_call(#name, 0, c, p, bytes(n, t), MPI_PROC_NULL, 0, HANDLE))
#define EXPECT(name) WRAP(MPI_##name, (ENVELOPE, MPI_Request *r), (b, n, t, p, tag, c, r), , \
    write_call(#name, 0, c, MPI_PROC_NULL, 0, p, bytes(n, t), HANDLE))
#define WAITED(name) write_call(name, 0, MPI_COMM_NULL, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0, 0)

SEND(Send) SEND(Ssend) SEND(Bsend) SEND(Rsend)
START(Isend, const) START(Issend, const) START(Ibsend, const) START(Irsend, const)
START(Send_init, const) START(Ssend_init, const) START(Bsend_init, const) START(Rsend_init, const)
EXPECT(Irecv) EXPECT(Recv_init)
WRAP(MPI_Recv, (ENVELOPE, MPI_Status *s), (b, n, t, p, tag, c, s), STATUS,
    write_call("Recv", 0, c, MPI_PROC_NULL, 0, s->MPI_SOURCE, came(s), 0))
WRAP(MPI_Sendrecv, (const void *a, int n, MPI_Datatype t, int p, int x, void *b, int m, MPI_Datatype u, int q, int y, MPI_Comm c, MPI_Status *s),
    (a, n, t, p, x, b, m, u, q, y, c, s), STATUS, write_call("Sendrecv", 0, c, p, bytes(n, t), s->MPI_SOURCE, came(s), 0))
WRAP(MPI_Sendrecv_replace, (void *b, int n, MPI_Datatype t, int p, int x, int q, int y, MPI_Comm c, MPI_Status *s),
    (b, n, t, p, x, q, y, c, s), STATUS, write_call("Sendrecv", 0, c, p, bytes(n, t), s->MPI_SOURCE, came(s), 0))
WRAP(MPI_Start, (MPI_Request *r), (r), , write_call("Start", 0, MPI_COMM_NULL, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0, HANDLE))
WRAP(MPI_Startall, (int n, MPI_Request *r), (n, r), ,
    for (int k = 0; k < n; k++, r++) write_call("Start", k, MPI_COMM_NULL, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0, HANDLE))

WRAP(MPI_Wait, (MPI_Request *r, MPI_Status *s), (r, s), STATUS; MPI_Request was = *r, done(was, s); WAITED("Wait"))
WRAP(MPI_Test, (MPI_Request *r, int *f, MPI_Status *s), (r, f, s), STATUS; MPI_Request was = *r,
    if (*f) { done(was, s); WAITED("Test"); })
#define ALL int count = n < 0 ? 0 : n; MPI_Request was[count + 1]; MPI_Status own[count + 1]; memcpy(was, r, count * sizeof *r)
#define STATUSES ALL; if (s == MPI_STATUSES_IGNORE) s = own
WRAP(MPI_Waitall, (int n, MPI_Request *r, MPI_Status *s), (n, r, s), STATUSES,
    for (int k = 0; k < n; k++) done(was[k], s + k); WAITED("Waitall"))
WRAP(MPI_Testall, (int n, MPI_Request *r, int *f, MPI_Status *s), (n, r, f, s), STATUSES,
    if (*f) { for (int k = 0; k < n; k++) done(was[k], s + k); WAITED("Testall"); })
#define ONE ALL; if (s == MPI_STATUS_IGNORE) s = own
WRAP(MPI_Waitany, (int n, MPI_Request *r, int *i, MPI_Status *s), (n, r, i, s), ONE,
    if (*i != MPI_UNDEFINED) done(was[*i], s); WAITED("Waitany"))
WRAP(MPI_Testany, (int n, MPI_Request *r, int *i, int *f, MPI_Status *s), (n, r, i, f, s), ONE,
    if (*f && *i != MPI_UNDEFINED) { done(was[*i], s); WAITED("Testany"); })
WRAP(MPI_Waitsome, (int n, MPI_Request *r, int *m, int *i, MPI_Status *s), (n, r, m, i, s), STATUSES,
    for (int k = 0; k < *m; k++) done(was[i[k]], s + k); WAITED("Waitsome"))
WRAP(MPI_Testsome, (int n, MPI_Request *r, int *m, int *i, MPI_Status *s), (n, r, m, i, s), STATUSES,
    if (*m > 0) { for (int k = 0; k < *m; k++) done(was[i[k]], s + k); WAITED("Testsome"); })

/* Calls of all ranks of a communicator, with the bytes of the own part; those with a request return at once. */
#define LIST(...) __VA_ARGS__
#define COLLECTIVE(...) COLLECTIVE_OF(__VA_ARGS__)
#define COLLECTIVE_OF(name, later, parameters, arguments, root, size) \
    WRAP(MPI_##name, (LIST parameters), (LIST arguments), , write_call(#name, 0, c, root, size, MPI_PROC_NULL, 0, 0)) \
    WRAP(MPI_##later, (LIST parameters, MPI_Request *r), (LIST arguments, r), , \
        write_call(#later, 0, c, root, size, MPI_PROC_NULL, 0, HANDLE))
#define OPERATION (const void *a, void *b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (a, b, n, t, o, c), MPI_PROC_NULL, bytes(n, t)
#define FROM const void *a, int n, MPI_Datatype t, void *b
#define OWN (a == MPI_IN_PLACE ? bytes(m, u) : bytes(n, t))
COLLECTIVE(Barrier, Ibarrier, (MPI_Comm c), (c), MPI_PROC_NULL, 0)
COLLECTIVE(Bcast, Ibcast, (void *b, int n, MPI_Datatype t, int p, MPI_Comm c), (b, n, t, p, c), p, bytes(n, t))
COLLECTIVE(Reduce, Ireduce, (const void *a, void *b, int n, MPI_Datatype t, MPI_Op o, int p, MPI_Comm c), (a, b, n, t, o, p, c), p, bytes(n, t))
COLLECTIVE(Allreduce, Iallreduce, OPERATION)
COLLECTIVE(Scan, Iscan, OPERATION)
COLLECTIVE(Exscan, Iexscan, OPERATION)
COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, OPERATION)
COLLECTIVE(Reduce_scatter, Ireduce_scatter, (const void *a, void *b, const int *n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
    (a, b, n, t, o, c), MPI_PROC_NULL, bytes(mean(n, c), t))
COLLECTIVE(Gather, Igather, (FROM, int m, MPI_Datatype u, int p, MPI_Comm c), (a, n, t, b, m, u, p, c), p, OWN)
COLLECTIVE(Gatherv, Igatherv, (FROM, const int *m, const int *d, MPI_Datatype u, int p, MPI_Comm c), (a, n, t, b, m, d, u, p, c), p,
    a == MPI_IN_PLACE ? 0 : bytes(n, t))
COLLECTIVE(Scatter, Iscatter, (FROM, int m, MPI_Datatype u, int p, MPI_Comm c), (a, n, t, b, m, u, p, c), p,
    b == MPI_IN_PLACE ? bytes(n, t) : bytes(m, u))
COLLECTIVE(Scatterv, Iscatterv, (const void *a, const int *n, const int *d, MPI_Datatype t, void *b, int m, MPI_Datatype u, int p, MPI_Comm c),
    (a, n, d, t, b, m, u, p, c), p, b == MPI_IN_PLACE ? 0 : bytes(m, u))
COLLECTIVE(Allgather, Iallgather, (FROM, int m, MPI_Datatype u, MPI_Comm c), (a, n, t, b, m, u, c), MPI_PROC_NULL, OWN)
COLLECTIVE(Allgatherv, Iallgatherv, (FROM, const int *m, const int *d, MPI_Datatype u, MPI_Comm c), (a, n, t, b, m, d, u, c), MPI_PROC_NULL,
    a == MPI_IN_PLACE ? 0 : bytes(n, t))
COLLECTIVE(Alltoall, Ialltoall, (FROM, int m, MPI_Datatype u, MPI_Comm c), (a, n, t, b, m, u, c), MPI_PROC_NULL, OWN)
COLLECTIVE(Alltoallv, Ialltoallv, (const void *a, const int *n, const int *d, MPI_Datatype t, void *b, const int *m, const int *e, MPI_Datatype u, MPI_Comm c),
    (a, n, d, t, b, m, e, u, c), MPI_PROC_NULL, a == MPI_IN_PLACE ? bytes(mean(m, c), u) : bytes(mean(n, c), t))

/* One-sided calls are only counted. */
#define ONE_SIDED(name, constant, ...) WRAP(MPI_##name, (constant void *b, int n, MPI_Datatype t, int p, MPI_Aint d, int m, MPI_Datatype u, __VA_ARGS__), \
    ONE_SIDED_##name, , unknown++)
#define ONE_SIDED_Put (b, n, t, p, d, m, u, w)
#define ONE_SIDED_Get (b, n, t, p, d, m, u, w)
#define ONE_SIDED_Accumulate (b, n, t, p, d, m, u, o, w)
ONE_SIDED(Put, const, MPI_Win w)
ONE_SIDED(Get, , MPI_Win w)
ONE_SIDED(Accumulate, const, MPI_Op o, MPI_Win w)

WRAP(MPI_Comm_free, (MPI_Comm *c), (c), MPI_Comm was = *c, forget(was))
WRAP(MPI_Init, (int *n, char ***v), (n, v), , )
WRAP(MPI_Init_thread, (int *n, char ***v, int a, int *b), (n, v, a, b), , )
WRAP(MPI_Finalize, (void), (),
    if (inside == 0 && report) { enter(__builtin_return_address(0)); WAITED("Finalize"); inside--; end(); }, )
