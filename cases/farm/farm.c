/* Integrates a function over `tasks` intervals: a master hands out what is next to the worker that is done. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TASK = 1, END = 2 };

/* The integral over one interval by `n` points. */
static double work(int task, int tasks, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += sqrt(task + (i + 0.5) / n);
    return sum / n / tasks;
}

static double master(int tasks, int ranks)
{
    double total = 0, result;
    int next = 0;
    MPI_Status status;
    for (int worker = 1; worker < ranks; worker++) {
        MPI_Send(&next, 1, MPI_INT, worker, TASK, MPI_COMM_WORLD);
        next++;
    }
    for (int done = 0; done < tasks; done++) {
        MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        total += result;
        MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, next < tasks ? TASK : END, MPI_COMM_WORLD);
        next++;
    }
    return total;
}

static void worker(int tasks, int n)
{
    int task;
    MPI_Status status;
    for (;;) {
        MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == END)
            break;
        double result = work(task, tasks, n);
        MPI_Send(&result, 1, MPI_DOUBLE, 0, TASK, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int tasks = atoi(argv[1]), n = atoi(argv[2]), rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#pragma pamela region
    {
        if (rank == 0)
            printf("%g\n", master(tasks, ranks));
        else
            worker(tasks, n);
    }
    MPI_Finalize();
    return 0;
}
