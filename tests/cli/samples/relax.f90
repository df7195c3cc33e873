! Relaxation on a grid of n x n points, of which each rank has n / ranks columns.
program relax
    use mpi
    implicit none
    character(len=32) :: word
    integer :: n, steps, width, rank, ranks, left, right, step, i, j, error
    double precision, allocatable :: old(:, :), new(:, :)
    double precision :: change, most

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    call get_command_argument(1, word)
    read (word, *) n
    call get_command_argument(2, word)
    read (word, *) steps
    width = n / ranks
    left = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    right = merge(rank + 1, MPI_PROC_NULL, rank < ranks - 1)
    allocate (old(n, 0:width + 1), new(n, 0:width + 1))
    old = rank
    new = 0
    do step = 1, steps
        call MPI_Sendrecv(old(1, width), n, MPI_DOUBLE_PRECISION, right, 0, &
            old(1, 0), n, MPI_DOUBLE_PRECISION, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        call MPI_Sendrecv(old(1, 1), n, MPI_DOUBLE_PRECISION, left, 1, &
            old(1, width + 1), n, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        change = 0
        do j = 1, width
            do i = 2, n - 1
                new(i, j) = 0.25d0 * (old(i - 1, j) + old(i + 1, j) + old(i, j - 1) + old(i, j + 1))
                change = max(change, abs(new(i, j) - old(i, j)))
            end do
        end do
        call MPI_Allreduce(change, most, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)
        old(:, 1:width) = new(:, 1:width)
    end do
    if (rank == 0) print *, most
    call MPI_Finalize(error)
end program
