/* A token goes round once: each rank waits for the one before. */
#include "mpi.h"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int me, np, token = 0, n;
  MPI_Status st;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &np);
  n = atoi(argv[1]);
  int *buf = malloc(n * sizeof(int));
  if (np > 1) {
    if (me != 0)
      MPI_Recv(buf, n, MPI_INT, me - 1, token, MPI_COMM_WORLD, &st);
    else
      buf[0] = -1;
    MPI_Send(buf, n, MPI_INT, (me + 1) % np, token, MPI_COMM_WORLD);
    if (me == 0)
      MPI_Recv(buf, n, MPI_INT, np - 1, token, MPI_COMM_WORLD, &st);
  }
  MPI_Finalize();
  return 0;
}
