/* N-body: particles in structures, handed round a ring of ranks by a derived type, nonblocking. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>
#include <math.h>
#include <string.h>

typedef struct { double x[3]; double v[3]; double mass; int id; } particle_t;

static MPI_Datatype make_type(void)
{
    MPI_Datatype type, resized;
    int lengths[4] = { 3, 3, 1, 1 };
    MPI_Aint at[4] = { offsetof(particle_t, x), offsetof(particle_t, v), offsetof(particle_t, mass), offsetof(particle_t, id) };
    MPI_Datatype kinds[4] = { MPI_DOUBLE, MPI_DOUBLE, MPI_DOUBLE, MPI_INT };
    MPI_Type_create_struct(4, lengths, at, kinds, &type);
    MPI_Type_create_resized(type, 0, sizeof(particle_t), &resized);
    MPI_Type_commit(&resized);
    return resized;
}

static void forces(particle_t *own, const particle_t *others, double *f, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double d[3], r = 1e-3;
            for (int k = 0; k < 3; k++) {
                d[k] = others[j].x[k] - own[i].x[k];
                r += d[k] * d[k];
            }
            r = others[j].mass / (r * sqrt(r));
            for (int k = 0; k < 3; k++)
                f[3 * i + k] += d[k] * r;
        }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = atoi(argv[1]), steps = atoi(argv[2]);
    int local = n / size;
    MPI_Datatype type = make_type();
    particle_t *own = malloc(local * sizeof(particle_t));
    particle_t *here = malloc(local * sizeof(particle_t)), *next = malloc(local * sizeof(particle_t));
    double *f = malloc(3 * local * sizeof(double));
    srand(rank);
    for (int i = 0; i < local; i++) {
        for (int k = 0; k < 3; k++) { own[i].x[k] = rand() / (double)RAND_MAX; own[i].v[k] = 0; }
        own[i].mass = 1.0 / n;
        own[i].id = rank * local + i;
    }
    int left = (rank - 1 + size) % size, right = (rank + 1) % size;
    for (int t = 0; t < steps; t++) {
        memset(f, 0, 3 * local * sizeof(double));
        memcpy(here, own, local * sizeof(particle_t));
        for (int p = 0; p < size; p++) {
            MPI_Request requests[2];
            if (p < size - 1) {
                MPI_Irecv(next, local, type, left, p, MPI_COMM_WORLD, &requests[0]);
                MPI_Isend(here, local, type, right, p, MPI_COMM_WORLD, &requests[1]);
            }
            forces(own, here, f, local);
            if (p < size - 1) {
                MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
                particle_t *swap = here; here = next; next = swap;
            }
        }
        for (int i = 0; i < local; i++)
            for (int k = 0; k < 3; k++) {
                own[i].v[k] += 1e-3 * f[3 * i + k];
                own[i].x[k] += 1e-3 * own[i].v[k];
            }
    }
    double e = 0, total;
    for (int i = 0; i < local; i++)
        for (int k = 0; k < 3; k++)
            e += 0.5 * own[i].mass * own[i].v[k] * own[i].v[k];
    MPI_Reduce(&e, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g\n", total);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
