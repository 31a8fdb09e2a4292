// Package mpi is the [dist.Comm] of processes under MPI. All of it but this
// comment needs cgo and the build tag mpi:
//
//	CC=mpicc go build -tags mpi ./cmd/adp-sparse
//
// It is a thin layer over MPI-3: handles and constants of MPI stay in C, so that
// one source works with Open MPI and MPICH. MPI is entered by the main goroutine
// alone (MPI_THREAD_FUNNELED), which stays on its thread. Every wait has a
// deadline; what MPI reports and what does not come in time is a panic with a
// [dist.Lost]. There is no going on after it but [Comm.Abort].
package mpi
