/* What a program needs of MPI to be read where MPI is not installed: its names stay names, and none of it is compiled. */
#pragma GCC system_header
#ifndef MPI_INCLUDED
#define MPI_INCLUDED
#define MPI_VERSION 3
#define MPI_SUBVERSION 1
typedef int MPI_Comm, MPI_Datatype, MPI_Group, MPI_Op, MPI_Request, MPI_Errhandler, MPI_Info, MPI_Win, MPI_File, MPI_Message;
typedef long MPI_Aint, MPI_Offset, MPI_Count, MPI_Fint;
typedef struct { int MPI_SOURCE, MPI_TAG, MPI_ERROR; } MPI_Status;
double MPI_Wtime(void), MPI_Wtick(void);
#endif
