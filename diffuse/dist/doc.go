// Package dist runs the solvers of package diffuse on graphs whose rows lie in
// several processes, the ranks. Each rank holds consecutive rows of S, A and F;
// columns are those of the whole graph.
//
// A [Comm] joins the ranks: goroutines of one process ([Local]), or processes
// under MPI (package dist/mpi, build tag mpi). A [World] is a Comm with the rows
// of each rank. All ranks make the same calls in the same order.
//
// Results have the same bits for any number of ranks, and as those of package
// diffuse: ranks begin at multiples of the 512 rows that sums are made over, the
// sums go from rank to rank in the order of the rows ([Comm.Fold]), and a rank
// numbers the columns that its rows have in the order of the whole graph, so that
// no sum over a row changes its order.
//
// A rank that is lost ends the others: under MPI the job is aborted, and in one
// process calls panic with a [*Lost], which [Local] turns into its error.
package dist
