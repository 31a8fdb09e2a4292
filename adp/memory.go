package adp

import "github.com/adp-sparse/adp-sparse/internal/rows"

// EstimateBytes returns the memory that [Run] needs for n nodes, nnz entries
// of W (two an undirected edge) and c classes, W itself included:
//
//	W, S, degrees    12·nnz + 28·n
//	W in its order   8·nnz + 16·n, where that is not the given one
//	class blocks     40·n·c   (F, last F, residual, direction, product, G;
//	                          LGC's F and the mean of rounds, of the run and of the trial)
//	learned graphs   36·E     (old, new and best, each with S_A), E = nnz + (2k+1)·n
//	rows in work     24·n·(k+1) + 24·n for each worker
//	start, first     4·n·c for each of Start and KeepFirst
//
// with k and E of the largest setting that is tried; 32·n·c without a trial,
// 24·n·c without a choice. Methods that learn no graph need the first line and
// 16·n·c.
// DenseADP needs eight n×n matrices of float64. In graphs with hubs the A-step
// may take 64·n more for each worker, which is not counted.
func EstimateBytes(n, nnz, c int, opt Options) int64 {
	opt, err := opt.WithDefaults(n)
	N, E, C := int64(n), int64(nnz), int64(c)
	total := 12*E + 28*N
	if opt.orderOf(n) != GivenOrder {
		total += 8*E + 16*N
	}
	if opt.Start != nil {
		total += 4 * N * C
	}
	if opt.KeepFirst {
		total += 4 * N * C
	}
	switch {
	case opt.Method == LGC || opt.Method == GFHF || err != nil:
		return total + 16*N*C
	case opt.Method == DenseADP:
		return total + 28*N*C + 64*N*N
	}
	most := int64(0)
	for _, set := range opt.settings(n, c, 0) {
		k := int64(set.TopK)
		if k < 0 {
			k = N
		}
		learned := (2*k + 1) * N
		if set.Anchor > 0 {
			learned += E
		}
		most = max(most, 36*learned+24*N*(k+1))
	}
	blocks := int64(24)
	if opt.Select != None {
		blocks += 8
		if opt.Method == ADP && opt.trials() > 0 {
			blocks += 8
		}
	}
	return total + blocks*N*C + most + 24*N*int64(rows.Workers(opt.Threads))
}
