/* Master and workers: who is done gets the next task. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define TASK 1
#define STOP 2

static double work(int task)
{
    double sum = 0;
    for (int i = 1; i <= 1000; i++)
        sum += 1.0 / (task + i);
    return sum;
}

static void master(int tasks, int size)
{
    double total = 0, result;
    MPI_Status status;
    int next = 0;
    for (int w = 1; w < size; w++) {
        MPI_Send(&next, 1, MPI_INT, w, TASK, MPI_COMM_WORLD);
        next++;
    }
    for (int done = 0; done < tasks; done++) {
        MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        total += result;
        if (next < tasks) {
            MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, TASK, MPI_COMM_WORLD);
            next++;
        } else {
            MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, STOP, MPI_COMM_WORLD);
        }
    }
    printf("%f\n", total);
}

static void worker(void)
{
    int task;
    MPI_Status status;
    while (1) {
        MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == STOP)
            break;
        double result = work(task);
        MPI_Send(&result, 1, MPI_DOUBLE, 0, TASK, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = atoi(argv[1]);
    if (size > 1) {
        if (rank == 0)
            master(n, size);
        else
            worker();
    }
    MPI_Finalize();
    return 0;
}
