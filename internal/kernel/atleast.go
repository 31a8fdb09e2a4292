package kernel

// AtLeast sets bit s%32 of mask[s/32] where vals_s ≥ floor and clears it where
// not; len(vals) is at most 32 times that of mask, and bits past it are 0.
func AtLeast(mask []uint32, vals []float32, floor float32) {
	words := len(vals) / Rows
	clear(mask[words:])
	if words > 0 {
		active.atLeast(mask[:words], vals[:words*Rows], floor)
	}
	if rest := vals[words*Rows:]; len(rest) > 0 {
		mask[words] = wordAtLeast(rest, floor)
	}
}

func atLeastPortable(mask []uint32, vals []float32, floor float32) {
	for m := range mask {
		mask[m] = wordAtLeast(vals[m*Rows:][:Rows], floor)
	}
}

func wordAtLeast(vals []float32, floor float32) (word uint32) {
	for s, v := range vals {
		bit := uint32(0)
		if v >= floor {
			bit = 1
		}
		word |= bit << s
	}
	return word
}
