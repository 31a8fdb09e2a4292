package oracle

// LGC returns the classification of Zhou et al. 2004, n×c,
//
//	F = (1−α)(I − αS)⁻¹ Y,  S = NormalizeSym(W),  0 ≤ α < 1,
//
// the limit of the paper's Eq. lgc_iteration. Rows that no seed reaches are 0.
func LGC(w, y Mat, alpha float64) Mat {
	kernel := Inverse(Add(1, Identity(len(w)), -alpha, NormalizeSym(w)))
	return Scale(1-alpha, Mul(kernel, y))
}

// Harmonic returns the harmonic function of Zhu et al. 2003 (GFHF), n×classes:
// labels[i] is the class of a labelled node i, −1 for any other. Labelled rows
// are one-hot and stay so; for the others
//
//	F_u = (D_uu − W_uu)⁻¹ W_ul Y_l.
//
// A node with no labelled node in its component has a row of 0: it is left out
// of u, where it would make the matrix singular.
func Harmonic(w Mat, labels []int, classes int) Mat {
	f := New(len(w), classes)
	var seeds []int
	for i, label := range labels {
		if label >= 0 {
			f[i][label] = 1
			seeds = append(seeds, i)
		}
	}
	free := reachedOthers(w, labels)
	if len(free) == 0 {
		return f
	}
	laplacian, toSeeds, seedRows := New(len(free), len(free)), New(len(free), len(seeds)), New(len(seeds), classes)
	d := Degrees(w)
	for p, i := range free {
		for q, j := range free {
			laplacian[p][q] = -w[i][j]
		}
		laplacian[p][p] += d[i]
		for q, j := range seeds {
			toSeeds[p][q] = w[i][j]
		}
	}
	for q, j := range seeds {
		copy(seedRows[q], f[j])
	}
	for p, row := range Mul(Inverse(laplacian), Mul(toSeeds, seedRows)) {
		copy(f[free[p]], row)
	}
	return f
}

// reachedOthers lists the nodes without a label that have a labelled node in
// their component.
func reachedOthers(w Mat, labels []int) []int {
	component := Components(w)
	seeded := make(map[int]bool)
	for i, label := range labels {
		if label >= 0 {
			seeded[component[i]] = true
		}
	}
	var free []int
	for i, label := range labels {
		if label < 0 && seeded[component[i]] {
			free = append(free, i)
		}
	}
	return free
}
