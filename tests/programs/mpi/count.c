/* Counts the messages and words of all ranks in the profiling interface of MPI, and prints them at the end. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { SENT, RECEIVED, BARRIER, BCAST, REDUCE, ALLREDUCE, SCAN, GATHER, SCATTER, ALLGATHER, ALLTOALL, KINDS };
static const char *names[KINDS] = {"sent", "received", "barrier", "bcast", "reduce", "allreduce", "scan", "gather", "scatter", "allgather", "alltoall"};
static long calls[KINDS];
static double bytes[KINDS];

static void add(int kind, double count, MPI_Datatype type)
{
    int size = 0;
    if (count > 0)
        PMPI_Type_size(type, &size);
    calls[kind]++;
    bytes[kind] += count * size;
}

static void message(int kind, int count, MPI_Datatype type, int partner)
{
    if (partner != MPI_PROC_NULL)
        add(kind, count, type);
}

int MPI_Finalize(void)
{
    int rank;
    long all[KINDS];
    double words[KINDS];
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Reduce(calls, all, KINDS, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    PMPI_Reduce(bytes, words, KINDS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    for (int k = 0; rank == 0 && k < KINDS; k++)
        if (all[k])
            fprintf(stderr, "counted %s %ld %.17g\n", names[k], all[k], words[k] / 8);
    return PMPI_Finalize();
}

#define SEND(name) \
    int name(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c) { message(SENT, n, t, to); return P##name(b, n, t, to, tag, c); }
SEND(MPI_Send)
SEND(MPI_Ssend)
int MPI_Isend(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r) { message(SENT, n, t, to); return PMPI_Isend(b, n, t, to, tag, c, r); }
int MPI_Recv(void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *s) { message(RECEIVED, n, t, from); return PMPI_Recv(b, n, t, from, tag, c, s); }
int MPI_Irecv(void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *r) { message(RECEIVED, n, t, from); return PMPI_Irecv(b, n, t, from, tag, c, r); }
int MPI_Sendrecv(const void *a, int n, MPI_Datatype t, int to, int x, void *b, int m, MPI_Datatype u, int from, int y, MPI_Comm c, MPI_Status *s)
{
    message(SENT, n, t, to);
    message(RECEIVED, m, u, from);
    return PMPI_Sendrecv(a, n, t, to, x, b, m, u, from, y, c, s);
}
int MPI_Sendrecv_replace(void *b, int n, MPI_Datatype t, int to, int x, int from, int y, MPI_Comm c, MPI_Status *s)
{
    message(SENT, n, t, to);
    message(RECEIVED, n, t, from);
    return PMPI_Sendrecv_replace(b, n, t, to, x, from, y, c, s);
}
/* Messages of persistent requests count when they are started. */
enum { MOST_PREPARED = 64 };
static struct { MPI_Request request; int kind, count, partner; MPI_Datatype type; } prepared[MOST_PREPARED];
static int prepared_count;

static void prepare(int kind, int count, MPI_Datatype type, int partner, MPI_Request request)
{
    prepared[prepared_count].request = request;
    prepared[prepared_count].kind = kind;
    prepared[prepared_count].count = count;
    prepared[prepared_count].partner = partner;
    prepared[prepared_count++].type = type;
}

static void started(MPI_Request request)
{
    for (int k = 0; k < prepared_count; k++)
        if (prepared[k].request == request)
            message(prepared[k].kind, prepared[k].count, prepared[k].type, prepared[k].partner);
}

int MPI_Send_init(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r) { int e = PMPI_Send_init(b, n, t, to, tag, c, r); prepare(SENT, n, t, to, *r); return e; }
int MPI_Recv_init(void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *r) { int e = PMPI_Recv_init(b, n, t, from, tag, c, r); prepare(RECEIVED, n, t, from, *r); return e; }
int MPI_Start(MPI_Request *r) { started(*r); return PMPI_Start(r); }
int MPI_Startall(int n, MPI_Request *r)
{
    for (int k = 0; k < n; k++)
        started(r[k]);
    return PMPI_Startall(n, r);
}
int MPI_Barrier(MPI_Comm c) { add(BARRIER, 0, MPI_BYTE); return PMPI_Barrier(c); }
int MPI_Bcast(void *b, int n, MPI_Datatype t, int r, MPI_Comm c) { add(BCAST, n, t); return PMPI_Bcast(b, n, t, r, c); }
int MPI_Reduce(const void *a, void *b, int n, MPI_Datatype t, MPI_Op o, int r, MPI_Comm c) { add(REDUCE, n, t); return PMPI_Reduce(a, b, n, t, o, r, c); }
int MPI_Allreduce(const void *a, void *b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c) { add(ALLREDUCE, n, t); return PMPI_Allreduce(a, b, n, t, o, c); }
int MPI_Scan(const void *a, void *b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c) { add(SCAN, n, t); return PMPI_Scan(a, b, n, t, o, c); }
int MPI_Exscan(const void *a, void *b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c) { add(SCAN, n, t); return PMPI_Exscan(a, b, n, t, o, c); }
int MPI_Gather(const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, int r, MPI_Comm c) { add(GATHER, n, t); return PMPI_Gather(a, n, t, b, m, u, r, c); }
int MPI_Scatter(const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, int r, MPI_Comm c) { add(SCATTER, n, t); return PMPI_Scatter(a, n, t, b, m, u, r, c); }
int MPI_Allgather(const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm c) { add(ALLGATHER, n, t); return PMPI_Allgather(a, n, t, b, m, u, c); }
int MPI_Alltoall(const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm c) { add(ALLTOALL, n, t); return PMPI_Alltoall(a, n, t, b, m, u, c); }
int MPI_Alltoallv(const void *a, const int *n, const int *d, MPI_Datatype t, void *b, const int *m, const int *e, MPI_Datatype u, MPI_Comm c)
{
    add(ALLTOALL, 0, t);
    return PMPI_Alltoallv(a, n, d, t, b, m, e, u, c);
}
/* Of those whose parts have different lengths, the own part counts. */
int MPI_Gatherv(const void *a, int n, MPI_Datatype t, void *b, const int *m, const int *d, MPI_Datatype u, int r, MPI_Comm c) { add(GATHER, n, t); return PMPI_Gatherv(a, n, t, b, m, d, u, r, c); }
int MPI_Scatterv(const void *a, const int *n, const int *d, MPI_Datatype t, void *b, int m, MPI_Datatype u, int r, MPI_Comm c) { add(SCATTER, m, u); return PMPI_Scatterv(a, n, d, t, b, m, u, r, c); }
