//go:build (amd64 || arm64) && !purego

package kernel

// minusDot, descend and advance do the whole periods of their blocks and return
// how many numbers these are.

func (k *implementation) minusDot(q, p []float32, alpha float32, sum []float64) int {
	n := len(q) / len(sum)
	if !k.vectors || n == 0 {
		return 0
	}
	minusDotVectors(&q[0], &p[0], &alpha, &sum[0], len(sum), n)
	return n * len(sum)
}

func (k *implementation) descend(r, q, a []float32, sum []float64) int {
	n := len(r) / len(a)
	if !k.vectors || n == 0 {
		return 0
	}
	descendVectors(&r[0], &q[0], &a[0], &sum[0], len(a), n)
	return n * len(a)
}

func (k *implementation) advance(x, p, r, a, b []float32) int {
	n := len(x) / len(a)
	if !k.vectors || n == 0 {
		return 0
	}
	advanceVectors(&x[0], &p[0], &r[0], &a[0], &b[0], len(a), n)
	return n * len(a)
}
