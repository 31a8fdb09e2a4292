package knn

import (
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// GraphBytes estimates the peak memory of [Graph] on n points of d coordinates, beside x, 4·n·d
// bytes:
//
//	points         24·n, 32·n by cosines, and by Hellinger a copy of x, 4·n·d
//	candidates     (16·K + 140)·n, K the neighbours that are searched for
//	neighbours     8·K·n
//	Approx         a packed copy of x, 4·n·d, or less; orders of cells
//	a worker       2048·(b·d + 512), b up to 5 packed blocks of 512 points, fewer
//	               if there are few blocks for the workers; or, by codes, (d + 15)·n
//	or afterwards  8·K·n and 32·k·n + 32·n: the directed graph, its transpose and
//	               their sum
//
// It leaves out Connect's links. Where bytes may serve in the place of floats the larger of both counts,
// see [GraphReport.Bytes].
func GraphBytes(n, d int, opt GraphOptions) int64 {
	return graphBytes(n, d, opt, true, opt.Search.Metric.mayUseCodes(n, d))
}

// Bytes is [GraphBytes] of the graph that was made, by floats or by bytes.
func (r *GraphReport) Bytes(opt GraphOptions) int64 {
	return graphBytes(r.Points, r.Dims, opt, !r.Codes, r.Codes)
}

// graphBytes is GraphBytes where pairs are compared by floats, by bytes, or by what takes more.
func graphBytes(n, d int, opt GraphOptions, floats, bytes bool) int64 {
	k := int64(opt.searchWidth(n))
	search, N := opt.Search, int64(n)
	point, once := int64(24), int64(0)
	if search.Metric.IsCosine() {
		point += 8
	}
	if search.Metric.OfRoots() {
		point += 4 * int64(d)
	}
	exact := search.Method == Exact || search.Method == Auto && exactCost(n, d) <= exactLimit
	if !exact {
		cells := int64(cellCount(n))
		point += 4 * int64(d)
		once = 8*cells*cells + 8*cells*int64(d) // orders of cells, their means
	}
	workers, sides := scanning(n, rows.Workers(search.Threads))
	packed := int64(0)
	if floats || !exact {
		packed = 4 * blockRows * int64(sides*d)
	}
	if exact && bytes {
		packed = max(packed, N*int64(d+15))
	}
	once += packed + 4*blockRows*int64(workers*blockRows)
	wide := int64(search.K)
	finding := (point+16*wide+140+8*wide)*N + once
	return max(finding, making(n, wide, k))
}

// scanning returns the number of workers that compare n points with each other, and the largest
// number of blocks that all of them have packed together: the blocks of each meeting, and one more
// a worker, see exact.
func scanning(n, threads int) (workers, sides int) {
	blocks := (n + blockRows - 1) / blockRows
	size := groupSize(blocks, threads)
	circle := (blocks + size - 1) / size
	meetings := circle * (circle/2 + 1)
	workers = min(threads, meetings)
	return workers, min(workers*min(blocks, packedBlocks), meetings*size) + workers
}

// SparseGraphBytes estimates the peak memory of [GraphSparse] on the rows of x, beside x:
//
//	points         36·n and a copy of the values, two by Hellinger; where columns are many, of their numbers too
//	neighbours     8·K·n, K the neighbours that are searched for
//	by columns     the transpose of x, 24·n a worker
//	by the rarest  the transpose of x twice, n, and 256 KiB and 4 bytes a column a worker
//	by blocks      152·n + 16·K·n, 4·n a common column, 6 bytes an entry of other columns and 8 a column
//	               of each block
//	or afterwards  the sum of [GraphBytes]
func SparseGraphBytes(x *csr.Matrix, opt GraphOptions) int64 {
	n, _ := x.Dims()
	k := opt.searchWidth(n)
	wide, N := int64(opt.Search.K), int64(n)
	costs := sparseCostsOf(csr.UsedColumns(x))
	workers := int64(min(rows.Workers(opt.Search.Threads), (n+rows.BlockSize-1)/rows.BlockSize))
	entries := int64(x.NNZ())
	transpose, columns := 8*entries, int64(len(costs.order))
	transpose += 8 * columns
	points := (36+8*wide)*N + 4*entries
	if opt.Search.Metric.OfRoots() {
		points += 4 * entries
	}
	if _, d := x.Dims(); d > x.NNZ() {
		points += 4 * entries
	}
	width := int64(max(costs.common, 1))
	blocks := (152+16*wide+4*width)*N + 6*costs.rare + 8*costs.steps + 4*blockRows*workers*(blockRows+(packedBlocks+1)*width)
	finding := transpose + 24*N*workers
	if costs.blocks < costs.columns {
		finding = blocks
	}
	if opt.Search.Method != Exact && opt.Search.Metric.IsCosine() {
		finding = max(finding, 2*transpose+N+workers*4*(sumsAtATime+columns))
	}
	return max(points+finding, making(n, wide, int64(k)))
}

// making returns the bytes of the directed graph of k neighbours a point, its transpose and their
// sum, beside all known neighbours.
func making(n int, known, k int64) int64 { return int64(n) * (8*known + 32*k + 32) }

// SelfExpressiveBytes estimates the peak memory of [SelfExpressive] on n points of d coordinates
// with support coefficients each, beside x: 8·n·d for the scaled points and their panels, 32·n a
// coefficient for C, Cᵀ and W, and the scratch of the workers.
func SelfExpressiveBytes(n, d, support, threads int) int64 {
	places, D := int64(4*kernel.Rows), int64(d) // probeCandidates and the point
	worker := 4*places*(places+D) + 8*expressBlock*D + 4*expressBlock*expressChunk
	return int64(n)*(8*D+32*int64(support)) + int64(rows.Workers(threads))*worker
}
