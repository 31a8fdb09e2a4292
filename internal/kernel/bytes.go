package kernel

// StepBytes is the number of coordinates of a vector that lie together in a panel
// of bytes: number p of vector r is panel[p/StepBytes*Rows*StepBytes + r*StepBytes + p%StepBytes].
const StepBytes = 4

// depthBytes is depth for panels of bytes, in steps.
const depthBytes = 128

// HasBytes reports whether the version in use multiplies bytes faster than floats.
func HasBytes() bool { return active.dotsBytes != nil }

// DotsBytes computes the 32×32 products of two panels of bytes, of d coordinates
// each, a multiple of [StepBytes],
//
//	dst[r*stride+s] ← Σ_p a_pr·(b_ps − 128),
//
// exactly: d is at most 2^16.
func DotsBytes(dst []int32, stride int, a, b []byte, d int) {
	_, _, _ = dst[31*stride+31], a[d*Rows-1], b[d*Rows-1]
	for lo := 0; lo < d; lo += depthBytes * StepBytes {
		n := min(depthBytes, (d-lo)/StepBytes)
		if active.dotsBytes != nil {
			active.dotsBytes(dst, stride, a[lo*Rows:], b[lo*Rows:], n, lo > 0)
		} else {
			dotsBytesPortable(dst, stride, a[lo*Rows:], b[lo*Rows:], n, lo > 0)
		}
	}
}

func dotsBytesPortable(dst []int32, stride int, a, b []byte, n int, add bool) {
	for r := range Rows {
		row := dst[r*stride:][:Rows]
		if !add {
			clear(row)
		}
		for p := range n {
			x := a[(p*Rows+r)*StepBytes:][:StepBytes]
			y := b[p*Rows*StepBytes:][:Rows*StepBytes]
			for s := range row {
				y := y[s*StepBytes:][:StepBytes]
				row[s] += int32(x[0])*(int32(y[0])-128) + int32(x[1])*(int32(y[1])-128) +
					int32(x[2])*(int32(y[2])-128) + int32(x[3])*(int32(y[3])-128)
			}
		}
	}
}

// BelowWhole is [Below] with w = 2 for whole numbers. Sums past int32 wrap around.
func BelowWhole(mask []uint32, p, low, tau []int32, rowLow, rowTau int32) {
	n := len(mask) * Rows
	if n == 0 {
		return
	}
	p, low, tau = p[:n], low[:n], tau[:n]
	if active.belowWhole != nil {
		active.belowWhole(mask, p, low, tau, rowLow, rowTau)
		return
	}
	for m := range mask {
		word := uint32(0)
		for s := range Rows {
			at := m*Rows + s
			if rowLow+low[at]-2*p[at] <= max(rowTau, tau[at]) {
				word |= 1 << s
			}
		}
		mask[m] = word
	}
}
