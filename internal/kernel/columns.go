package kernel

import "fmt"

// The three loops of the conjugate gradients go over whole rows of n×c blocks,
// row-major. The coefficient of number k is that of its column, given as a
// period: the c of them, repeated to a length that is a multiple of eight
// ([Period]). Sums are made a place of the period; the sum of a column is that of
// its places, which [Fold] adds. Float32 operations round each; sums are float64,
// in which products of float32 are exact. All versions have the same bits.

// Period returns the least multiple of c and 8.
func Period(c int) int {
	p := c
	for p%8 != 0 {
		p += c
	}
	return p
}

// Fold adds the places of each of len(dst) columns.
func Fold(dst, sum []float64) {
	clear(dst)
	for k, v := range sum {
		dst[k%len(dst)] += v
	}
}

// MinusDot computes q ← p − alpha·q and adds the products p_k·q_k to sum.
func MinusDot(q, p []float32, alpha float32, sum []float64) {
	mustMatch(len(q), len(p), len(p), len(sum), len(sum))
	k := active.minusDot(q, p, alpha, sum)
	minusDotPortable(q[k:], p[k:], alpha, sum)
}

// Descend computes r ← r − a·q and adds the squares of the new r_k to sum.
func Descend(r, q, a []float32, sum []float64) {
	mustMatch(len(r), len(q), len(q), len(a), len(sum))
	k := active.descend(r, q, a, sum)
	descendPortable(r[k:], q[k:], a, sum)
}

// Advance computes x ← x + a·p and then p ← r + b·p.
func Advance(x, p, r, a, b []float32) {
	mustMatch(len(x), len(p), len(r), len(a), len(b))
	k := active.advance(x, p, r, a, b)
	advancePortable(x[k:], p[k:], r[k:], a, b)
}

// mustMatch panics unless the blocks have one length and the periods another,
// a multiple of eight.
func mustMatch(x, y, z, a, b int) {
	if x != y || x != z || a != b || a == 0 || a%8 != 0 {
		panic(fmt.Sprintf("kernel: blocks of %d, %d and %d numbers, periods of %d and %d", x, y, z, a, b))
	}
}

func minusDotPortable(q, p []float32, alpha float32, sum []float64) {
	for at := 0; at < len(q); at += len(sum) {
		q, p := q[at:min(at+len(sum), len(q))], p[at:]
		p, sum := p[:len(q)], sum[:len(q)]
		for k, v := range p {
			m := v - float32(alpha*q[k])
			q[k] = m
			sum[k] += float64(v) * float64(m)
		}
	}
}

func descendPortable(r, q, a []float32, sum []float64) {
	for at := 0; at < len(r); at += len(sum) {
		r, q := r[at:min(at+len(sum), len(r))], q[at:]
		q, a, sum := q[:len(r)], a[:len(r)], sum[:len(r)]
		for k, v := range r {
			v -= float32(a[k] * q[k])
			r[k] = v
			sum[k] += float64(v) * float64(v)
		}
	}
}

func advancePortable(x, p, r, a, b []float32) {
	for at := 0; at < len(x); at += len(a) {
		x, p, r := x[at:min(at+len(a), len(x))], p[at:], r[at:]
		p, r, a, b := p[:len(x)], r[:len(x)], a[:len(x)], b[:len(x)]
		for k, v := range p {
			x[k] += float32(a[k] * v)
			p[k] = r[k] + float32(b[k]*v)
		}
	}
}
