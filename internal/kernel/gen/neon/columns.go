package main

// The three loops of the conjugate gradients read blocks in periods, and a period in
// two vectors of four at a time.

// columns writes the loop over periods and vectors. At each step the registers of the
// blocks point to the step, those of the coefficients to its place in the period.
func columns(name, doc string, blocks, coefficients []string, body func(f *function)) *function {
	params := ""
	for _, b := range blocks {
		params += b + " *float32, "
	}
	for _, c := range coefficients {
		kind := " *float32, "
		if c == "sum" {
			kind = " *float64, "
		}
		params += c + kind
	}
	f := newFunction(name, doc, params+"period int, periods int", "")
	for k, b := range blocks {
		f.load(b, blockRegisters[k])
	}
	f.load("period", "R10", "periods", "R11")
	f.label("period")
	for k, c := range coefficients {
		f.load(c, coefficientRegisters[k])
	}
	f.op("MOVD R10, R12")
	f.label("step")
	body(f)
	f.op("SUB $8, R12")
	f.op("CBNZ R12, step")
	f.again("R11", "period")
	return f
}

var (
	blockRegisters       = []string{"R0", "R1", "R2"}
	coefficientRegisters = []string{"R3", "R4"}
)

// addProducts adds the products of two pairs of vectors to the sums at a place, in
// float64: the products are exact, so that it does not matter that they are fused.
func (f *function) addProducts(x, y int, sum string) {
	f.op("FLDPQ (%s), (F20, F21)", sum)
	f.op("FLDPQ 32(%s), (F22, F23)", sum)
	for v := range 2 {
		for half := range 2 {
			f.widen(16, x+v, half)
			f.widen(17, y+v, half)
			f.vec("fmla.2d", 20+2*v+half, 16, 17)
		}
	}
	f.storePairs(sum, 20, 4)
}

func minusDot() *function {
	return columns("minusDotVectors", "computes q ← p − alpha·q and adds p·q to sum.", []string{"q", "p"}, []string{"alpha", "sum"}, func(f *function) {
		f.op("VLD1R (R3), [V31.S4]")
		f.op("FLDPQ (R0), (F0, F1)")
		f.loadPairs("R1", 2, 2)
		for v := range 2 {
			f.vec("fmul.4s", v, v, 31)
			f.vec("fsub.4s", v, 2+v, v)
		}
		f.storePairs("R0", 0, 2)
		f.addProducts(2, 0, "R4")
	})
}

func descend() *function {
	return columns("descendVectors", "computes r ← r − a·q and adds r·r to sum.", []string{"r", "q"}, []string{"a", "sum"}, func(f *function) {
		f.op("FLDPQ (R0), (F0, F1)")
		f.loadPairs("R1", 2, 2)
		f.loadPairs("R3", 4, 2)
		for v := range 2 {
			f.vec("fmul.4s", 2+v, 2+v, 4+v)
			f.vec("fsub.4s", v, v, 2+v)
		}
		f.storePairs("R0", 0, 2)
		f.addProducts(0, 0, "R4")
	})
}

func advance() *function {
	return columns("advanceVectors", "computes x ← x + a·p and p ← r + b·p.", []string{"x", "p", "r"}, []string{"a", "b"}, func(f *function) {
		f.op("FLDPQ (R0), (F0, F1)")
		f.op("FLDPQ (R1), (F2, F3)")
		f.loadPairs("R2", 4, 2)
		f.loadPairs("R3", 6, 2)
		f.loadPairs("R4", 16, 2)
		for v := range 2 {
			f.vec("fmul.4s", 6+v, 6+v, 2+v)
			f.vec("fadd.4s", v, v, 6+v)
			f.vec("fmul.4s", 16+v, 16+v, 2+v)
			f.vec("fadd.4s", 2+v, 4+v, 16+v)
		}
		f.storePairs("R0", 0, 2)
		f.storePairs("R1", 2, 2)
	})
}
