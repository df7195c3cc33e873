/* All pairs by shifting blocks around a ring, as bodies of a star system do. */
#include <mpi.h>
#include <stdlib.h>
#include <math.h>

struct body { double x, y, z, m; };

static int me, np, mine;

static void forces(const struct body *a, const struct body *b, double *f)
{
    for (int i = 0; i < mine; i++)
        for (int j = 0; j < mine; j++) {
            double dx = a[i].x - b[j].x, dy = a[i].y - b[j].y, dz = a[i].z - b[j].z;
            f[i] += b[j].m / (1e-9 + sqrt(dx * dx + dy * dy + dz * dz));
        }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int n = strtol(argv[1], NULL, 10);
    mine = n / np;
    struct body *own = calloc(mine + 1, sizeof *own), *visitors = calloc(mine + 1, sizeof *visitors);
    double *f = calloc(mine + 1, sizeof *f);
    const int next = (me + 1) % np, before = (me + np - 1) % np;
    for (int round = 0; round < np; round++) {
        forces(own, visitors, f);
        if (round < np - 1)
            MPI_Sendrecv_replace(visitors, 4 * mine, MPI_DOUBLE, next, 0, before, 0, MPI_COMM_WORLD,
                                 MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
