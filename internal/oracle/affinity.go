package oracle

import (
	"fmt"
	"slices"
)

// MaxStar is the largest n that AStar takes: it inverts an n²×n² matrix.
const MaxStar = 12

// AStep returns one step of the affinity, n×n (paper Eq. iteration):
//
//	α S (A+Z) Sᵀ + (1−α) I.
func AStep(s, a, z Mat, alpha float64) Mat {
	spread := Mul(Mul(s, Add(1, a, 1, z)), Transpose(s))
	return Add(alpha, spread, 1-alpha, Identity(len(s)))
}

// AStar returns the limit of AStep for n ≤ MaxStar in closed form (paper Eq.
// solution1), to the letter. With 𝕊 = S⊗S,
//
//	A* = vec⁻¹( ((I−α𝕊)⁻¹ − I) vec(Z) + (1−α)(I−α𝕊)⁻¹ vec(I) ).
func AStar(s, z Mat, alpha float64) Mat {
	n := len(s)
	if n > MaxStar {
		panic(fmt.Sprintf("oracle: AStar of %d nodes, at most %d", n, MaxStar))
	}
	one := Identity(n * n)
	kernel := Inverse(Add(1, one, -alpha, Kronecker(s, s)))
	labels := Mul(Add(1, kernel, -1, one), vec(z))
	prior := Mul(kernel, vec(Identity(n)))
	return unvec(Add(1, labels, 1-alpha, prior), n)
}

// vec stacks the columns of a into one, n²×1.
func vec(a Mat) Mat {
	r, c := a.Dims()
	v := New(r*c, 1)
	for j := range c {
		for i := range r {
			v[j*r+i][0] = a[i][j]
		}
	}
	return v
}

// unvec is the inverse of vec for an n×n matrix.
func unvec(v Mat, n int) Mat {
	a := New(n, n)
	for k := range v {
		a[k%n][k/n] = v[k][0]
	}
	return a
}

// TopKRows keeps the k largest entries of each row, of equal ones those with
// the smaller columns, and sets the others to 0. The diagonal does not take
// part: it is kept and does not count.
func TopKRows(a Mat, k int) Mat {
	r, c := a.Dims()
	kept := New(r, c)
	for i, row := range a {
		var columns []int
		for j := range row {
			if j != i {
				columns = append(columns, j)
			}
		}
		// Stable, and the columns start in order: ties go to the smaller one.
		slices.SortStableFunc(columns, func(p, q int) int {
			switch {
			case row[p] > row[q]:
				return -1
			case row[p] < row[q]:
				return 1
			}
			return 0
		})
		for _, j := range columns[:min(k, len(columns))] {
			kept[i][j] = row[j]
		}
		if i < c {
			kept[i][i] = row[i]
		}
	}
	return kept
}
