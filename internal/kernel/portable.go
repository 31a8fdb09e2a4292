package kernel

import "math"

func dotsPortable(dst []float32, stride int, a, b []float32, n int, add bool) {
	panelsPortable(dots2x4, dst, stride, a, b, n, add)
}

// differencesPortable is dotsPortable for [Differences].
func differencesPortable(dst []float32, stride int, a, b []float32, n int, add bool) {
	panelsPortable(differences2x4, dst, stride, a, b, n, add)
}

// panelsPortable works on 2×4 parts of the result, which tile makes: their sums and what they are
// made of fit in sixteen registers.
func panelsPortable(tile func(a, b []float32, n int) [2][4]float32, dst []float32, stride int, a, b []float32, n int, add bool) {
	for r := 0; r < Rows; r += 2 {
		for s := 0; s < Rows; s += 4 {
			for i, row := range tile(a[r:], b[s:], n) {
				out := dst[(r+i)*stride+s:][:4]
				for j, v := range row {
					if add {
						v += out[j]
					}
					out[j] = v
				}
			}
		}
	}
}

func dots2x4(a, b []float32, n int) [2][4]float32 {
	var s00, s01, s02, s03, s10, s11, s12, s13 float32
	for p := range n {
		x := a[p*Rows : p*Rows+2 : p*Rows+2]
		y := b[p*Rows : p*Rows+4 : p*Rows+4]
		x0, x1 := x[0], x[1]
		y0, y1, y2, y3 := y[0], y[1], y[2], y[3]
		s00 += x0 * y0
		s01 += x0 * y1
		s02 += x0 * y2
		s03 += x0 * y3
		s10 += x1 * y0
		s11 += x1 * y1
		s12 += x1 * y2
		s13 += x1 * y3
	}
	return [2][4]float32{{s00, s01, s02, s03}, {s10, s11, s12, s13}}
}

func differences2x4(a, b []float32, n int) [2][4]float32 {
	var s00, s01, s02, s03, s10, s11, s12, s13 float32
	for p := range n {
		x := a[p*Rows : p*Rows+2 : p*Rows+2]
		y := b[p*Rows : p*Rows+4 : p*Rows+4]
		x0, x1 := x[0], x[1]
		y0, y1, y2, y3 := y[0], y[1], y[2], y[3]
		s00 += away(x0, y0)
		s01 += away(x0, y1)
		s02 += away(x0, y2)
		s03 += away(x0, y3)
		s10 += away(x1, y0)
		s11 += away(x1, y1)
		s12 += away(x1, y2)
		s13 += away(x1, y3)
	}
	return [2][4]float32{{s00, s01, s02, s03}, {s10, s11, s12, s13}}
}

// away returns |x − y|.
func away(x, y float32) float32 { return math.Float32frombits(math.Float32bits(x-y) &^ (1 << 31)) }

func belowPortable(mask []uint32, p, low, tau []float32, rowLow, rowTau, w float32) {
	for m := range mask {
		var bits uint32
		ps, ls, ts := p[m*Rows:][:Rows], low[m*Rows:][:Rows], tau[m*Rows:][:Rows]
		for s, v := range ps {
			if rowLow+ls[s]-w*v <= max(rowTau, ts[s]) {
				bits |= 1 << s
			}
		}
		mask[m] = bits
	}
}
