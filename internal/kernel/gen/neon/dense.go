package main

// The layout of a panel: see package kernel.
const (
	rows      = 32
	stepBytes = rows * 4
)

// dots writes dst ← A·Bᵀ for two panels.
func dots() *function {
	return ofPanels("dotsNEON", "products", func(f *function, sum, lane int) {
		for v := range 2 {
			f.vecBy("fmla.4s", sum+v, 18+v, 16+lane/4, lane%4)
		}
	})
}

// differences writes dst_rs ← Σ_p |a_rp − b_sp| for two panels.
func differences() *function {
	return ofPanels("differencesNEON", "absolute differences", func(f *function, sum, lane int) {
		f.op("VDUP V%d.S[%d], V20.S4", 16+lane/4, lane%4)
		for v := range 2 {
			f.vec("fabd.4s", 21+v, 18+v, 20)
			f.vec("fadd.4s", sum+v, sum+v, 21+v)
		}
	})
}

// ofPanels writes a function of two panels, in tiles of 8×8 sums that stay in registers: sixteen vectors, and two each for a
// step of A, 16 and 17, and of B, 18 and 19. Add adds what a lane of A's and both vectors of B make to two sums.
func ofPanels(name, what string, add func(f *function, sum, lane int)) *function {
	const tile = 8
	f := newFunction(name, "computes 32×32 sums of n "+what+" each, for two panels.",
		"dst *float32, stride int, a *float32, b *float32, n int, add bool", "")
	f.load("dst", "R0", "stride", "R1", "a", "R2", "b", "R3", "n", "R4", "add", "R5")
	f.op("LSL $2, R1")
	f.op("MOVD $%d, R6", rows/tile)
	f.label("band")
	f.op("MOVD $%d, R7", rows/tile)
	f.op("MOVD R3, R10")
	f.op("MOVD R0, R11")
	f.label("tile")
	f.op("MOVD R2, R8")
	f.op("MOVD R10, R9")
	f.op("MOVD R4, R12")
	f.zero(0, 15)
	f.label("step")
	f.op("FLDPQ (R8), (F16, F17)")
	f.op("FLDPQ (R9), (F18, F19)")
	for r := range tile {
		add(f, 2*r, r)
	}
	f.op("ADD $%d, R8", stepBytes)
	f.op("ADD $%d, R9", stepBytes)
	f.again("R12", "step")
	f.op("MOVD R11, R13")
	f.op("CBZ R5, store")
	for r := range tile {
		f.op("FLDPQ (R13), (F16, F17)")
		f.vec("fadd.4s", 2*r, 2*r, 16)
		f.vec("fadd.4s", 2*r+1, 2*r+1, 17)
		f.op("ADD R1, R13")
	}
	f.op("MOVD R11, R13")
	f.label("store")
	for r := range tile {
		f.op("FSTPQ (F%d, F%d), (R13)", 2*r, 2*r+1)
		f.op("ADD R1, R13")
	}
	f.op("ADD $%d, R10", 4*tile)
	f.op("ADD $%d, R11", 4*tile)
	f.again("R7", "tile")
	f.op("ADD $%d, R2", 4*tile)
	f.op("ADD R1<<3, R0")
	f.again("R6", "band")
	return f
}

// tile writes dst ← dst + A·B for two strips of float64: 4×12 sums, six vectors of B
// and two of A leave no register unused.
func tile() *function {
	const tileRows, tileVecs = 4, 6
	f := newFunction("tileVectors", "adds 4×12 sums of n products each, for two strips.",
		"dst *float64, stride int, a *float64, b *float64, n int", "")
	f.load("dst", "R0", "stride", "R1", "a", "R2", "b", "R3", "n", "R4")
	f.op("LSL $3, R1")
	f.zero(0, tileRows*tileVecs-1)
	f.label("step")
	f.loadPairs("R2", 30, 2)
	f.loadPairs("R3", 24, tileVecs)
	for r := range tileRows {
		for v := range tileVecs {
			f.vecBy("fmla.2d", r*tileVecs+v, 24+v, 30+r/2, r%2)
		}
	}
	f.again("R4", "step")
	for r := range tileRows {
		f.op("MOVD R0, R5")
		f.loadPairs("R5", 24, tileVecs)
		for v := range tileVecs {
			f.vec("fadd.2d", 24+v, 24+v, r*tileVecs+v)
		}
		f.op("MOVD R0, R5")
		f.storePairs("R5", 24, tileVecs)
		f.op("ADD R1, R0")
	}
	return f
}

// rotate writes a plane rotation of two rows of float64, four numbers a step.
func rotate() *function {
	f := newFunction("rotateVectors", "computes x ← c·x − s·y and y ← s·x + c·y for 4·steps numbers.",
		"x *float64, y *float64, c float64, s float64, steps int", "")
	f.load("x", "R0", "y", "R1", "steps", "R2")
	f.spread("c", 30)
	f.spread("s", 31)
	f.label("step")
	f.op("FLDPQ (R0), (F0, F1)")
	f.op("FLDPQ (R1), (F2, F3)")
	for v := range 2 {
		f.vec("fmul.2d", 4+v, v, 30)
		f.vec("fmls.2d", 4+v, 2+v, 31)
		f.vec("fmul.2d", 6+v, v, 31)
		f.vec("fmla.2d", 6+v, 2+v, 30)
	}
	f.storePairs("R0", 4, 2)
	f.storePairs("R1", 6, 2)
	f.again("R2", "step")
	return f
}

// distance writes Σ(x−y)² of some steps of 32 floats, in eight vectors, so that the
// sums do not wait for each other.
func distance() *function {
	f := newFunction("distanceVectors", "returns Σ(x−y)² of 32·steps floats.", "x *float32, y *float32, steps int", "ret float32")
	f.load("x", "R0", "y", "R1", "steps", "R2")
	f.zero(16, 23)
	f.label("step")
	f.loadPairs("R0", 0, 8)
	f.loadPairs("R1", 8, 8)
	for v := range 8 {
		f.vec("fsub.4s", v, v, 8+v)
		f.vec("fmla.4s", 16+v, v, v)
	}
	f.again("R2", "step")
	for half := 4; half > 0; half /= 2 {
		for v := range half {
			f.vec("fadd.4s", 16+v, 16+v, 16+half+v)
		}
	}
	f.vec("faddp.4s", 16, 16, 16)
	f.vec("faddp.4s", 16, 16, 16)
	f.give("F16", "ret")
	return f
}

// exact writes the sum of a function of x and y, of some steps of four floats in float64: combine makes x that function. It is
// rounded before it is added, as portable Go does it.
func exact(name, formula string, combine func(f *function, x, y int)) *function {
	f := newFunction(name, "sets s to the four lanes of Σ"+formula+" of 4·steps floats, in float64.",
		"s *float64, x *float32, y *float32, steps int", "")
	f.load("s", "R0", "x", "R1", "y", "R2", "steps", "R3")
	f.zero(16, 17)
	f.label("step")
	f.op("FMOVQ.P 16(R1), F0")
	f.op("FMOVQ.P 16(R2), F1")
	for half := range 2 {
		x, y := 2+half, 4+half
		f.widen(x, 0, half)
		f.widen(y, 1, half)
		combine(f, x, y)
		f.vec("fadd.2d", 16+half, 16+half, x)
	}
	f.again("R3", "step")
	f.op("FSTPQ (F16, F17), (R0)")
	return f
}

// exacts are the functions of package kernel that exact writes.
func exacts() []*function {
	return []*function{
		exact("sumSquaresVectors", "(x−y)²", func(f *function, x, y int) {
			f.vec("fsub.2d", x, x, y)
			f.vec("fmul.2d", x, x, x)
		}),
		exact("sumProductsVectors", "xy", func(f *function, x, y int) { f.vec("fmul.2d", x, x, y) }),
		exact("sumDifferencesVectors", "|x−y|", func(f *function, x, y int) { f.vec("fabd.2d", x, x, y) }),
	}
}
