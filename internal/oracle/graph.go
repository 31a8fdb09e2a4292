package oracle

import "math"

// Affinity returns the n×n matrix W of an undirected graph given as edges
// src[e], dst[e], weight[e], by the rules of the program: the weights of
// repeated edges, whichever way round, are summed; self-loops are dropped.
func Affinity(n int, src, dst []uint32, weight []float32) Mat {
	w := New(n, n)
	for e := range src {
		i, j := src[e], dst[e]
		if i == j {
			continue
		}
		w[i][j] += float64(weight[e])
		w[j][i] += float64(weight[e])
	}
	return w
}

// Degrees returns d_i = Σ_j w_ij.
func Degrees(w Mat) []float64 {
	d := make([]float64, len(w))
	for i, row := range w {
		for _, v := range row {
			d[i] += v
		}
	}
	return d
}

// NormalizeSym returns S, s_ij = w_ij / √(d_i d_j). The row and column of an
// isolated node (d_i = 0) are 0.
func NormalizeSym(w Mat) Mat {
	n, d := len(w), Degrees(w)
	s := New(n, n)
	for i := range n {
		for j := range n {
			if d[i] > 0 && d[j] > 0 {
				s[i][j] = w[i][j] / math.Sqrt(d[i]*d[j])
			}
		}
	}
	return s
}

// Components returns the connected component of each node, numbered from 0 in
// the order of their smallest nodes, by breadth-first search over w_ij ≠ 0.
func Components(w Mat) []int {
	of := make([]int, len(w))
	for i := range of {
		of[i] = -1
	}
	count := 0
	for start := range w {
		if of[start] >= 0 {
			continue
		}
		of[start] = count
		for queue := []int{start}; len(queue) > 0; queue = queue[1:] {
			for j, v := range w[queue[0]] {
				if v != 0 && of[j] < 0 {
					of[j] = count
					queue = append(queue, j)
				}
			}
		}
		count++
	}
	return of
}
