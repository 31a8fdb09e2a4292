package main

import (
	"fmt"
	"strings"
)

// bits writes a table of 2^0 to 2^31: four of them and a comparison of four lanes give
// four bits of a mask, and these are added.
func bits() string {
	var b strings.Builder
	for k := range rows {
		fmt.Fprintf(&b, "DATA bits<>+%d(SB)/4, $0x%08x\n", 4*k, uint32(1)<<k)
	}
	fmt.Fprintf(&b, "GLOBL bits<>(SB), RODATA|NOPTR, $%d\n", 4*rows)
	return b.String()
}

// loadBits loads the first 4·count of them.
func (f *function) loadBits(first, count int) {
	f.op("MOVD $bits<>(SB), R15")
	f.loadPairs("R15", first, count)
}

// word32 adds vectors of bits and moves the sum to a register.
func (f *function) word32(first, count int, to string) {
	for half := count / 2; half > 0; half /= 2 {
		for v := range half {
			f.op("VORR V%d.B16, V%d.B16, V%d.B16", first+half+v, first+v, first+v)
		}
	}
	f.op("VADDV V%d.S4, V%d", first, first)
	f.op("VMOV V%d.S[0], %s", first, to)
}

// below writes the comparison of a row of products with thresholds: 32 columns make
// one word of the mask.
func below() *function {
	f := newFunction("belowNEON", "sets the bits of the columns within their threshold.",
		"mask *uint32, p *float32, low *float32, tau *float32, panels int, rowLow float32, rowTau float32, w float32", "")
	f.load("mask", "R0", "p", "R1", "low", "R2", "tau", "R3", "panels", "R4")
	f.spread("rowLow", 20)
	f.spread("rowTau", 21)
	f.spread("w", 22)
	f.loadBits(24, 8)
	f.label("panel")
	for v := range 8 {
		f.op("FMOVQ.P 16(R1), F16")
		f.op("FMOVQ.P 16(R2), F17")
		f.op("FMOVQ.P 16(R3), F18")
		f.vec("fadd.4s", 17, 17, 20)
		f.vec("fmul.4s", 16, 16, 22)
		f.vec("fsub.4s", 17, 17, 16)
		f.vec("fmax.4s", 18, 18, 21)
		f.vec("fcmge.4s", v, 18, 17)
		f.op("VAND V%d.B16, V%d.B16, V%d.B16", 24+v, v, v)
	}
	f.word32(0, 8, "R5")
	f.op("MOVW.P R5, 4(R0)")
	f.again("R4", "panel")
	return f
}

// atLeast writes the search for what reaches a floor: 32 numbers make one word.
func atLeast() *function {
	f := newFunction("atLeastNEON", "sets the bits of the numbers that are at least floor.",
		"mask *uint32, vals *float32, words int, floor float32", "")
	f.load("mask", "R0", "vals", "R1", "words", "R2")
	f.spread("floor", 16)
	f.loadBits(24, 8)
	f.label("word")
	f.loadPairs("R1", 0, 8)
	for v := range 8 {
		f.vec("fcmge.4s", v, v, 16)
		f.op("VAND V%d.B16, V%d.B16, V%d.B16", 24+v, v, v)
	}
	f.word32(0, 8, "R3")
	f.op("MOVW.P R3, 4(R0)")
	f.again("R2", "word")
	return f
}

// gather writes the products of sparse rows with a dense matrix of 16 columns, up to
// the first that comes up to a bound.
func gather() *function {
	f := newFunction("gatherNEON", "adds up rows of 16 numbers of u, each times a number, for a sparse row after the other.",
		"v *float32, indptr *int64, cols *uint32, vals *float32, u *float32, norms *float32, norm *float32, limit *float32, from int, to int", "row int, mask uint32")
	f.load("v", "R0", "indptr", "R1", "cols", "R2", "vals", "R3", "u", "R4", "norms", "R5", "from", "R7", "to", "R8")
	f.load("norm", "R6")
	f.loadPairs("R6", 4, 4)
	f.load("limit", "R6")
	f.loadPairs("R6", 20, 4)
	f.loadBits(24, 4)
	f.op("ADD R7<<3, R1")
	f.op("MOVD.P 8(R1), R10")
	f.label("row")
	f.op("MOVD.P 8(R1), R11")
	f.zero(0, 3)
	f.op("CMP R11, R10")
	f.op("BGE bound")
	f.label("entry")
	f.op("MOVWU (R2)(R10<<2), R12")
	f.op("FMOVS (R3)(R10<<2), F30")
	f.op("ADD R12<<6, R4, R12")
	f.op("FLDPQ (R12), (F16, F17)")
	f.op("FLDPQ 32(R12), (F18, F19)")
	for v := range 4 {
		f.vecBy("fmul.4s", 16+v, 16+v, 30, 0)
		f.vec("fadd.4s", v, v, 16+v)
	}
	f.op("ADD $1, R10")
	f.op("CMP R11, R10")
	f.op("BLT entry")
	f.label("bound")
	f.op("FMOVS (R5)(R7<<2), F30")
	for v := range 4 {
		f.vecBy("fmul.4s", 16+v, 4+v, 30, 0)
		f.vec("fadd.4s", 16+v, 16+v, v)
		f.vec("fcmge.4s", 16+v, 16+v, 20+v)
		f.op("VAND V%d.B16, V%d.B16, V%d.B16", 24+v, 16+v, 16+v)
	}
	f.word32(16, 4, "R14")
	f.op("CBNZW R14, done")
	f.op("ADD $1, R7")
	f.op("CMP R8, R7")
	f.op("BLT row")
	f.label("done")
	f.storePairs("R0", 0, 4)
	f.give("R7", "row")
	f.give("R14", "mask")
	return f
}

// spread writes the sum of a row of 16 numbers, times a number each, to some rows of a
// dense matrix of 16 columns.
func spread() *function {
	f := newFunction("spreadNEON", "adds 16 factors, times vals[k], to row cols[k] of u, for k < n. It stops at the first column that is not below rows and returns it; else 0.",
		"u *float32, cols *uint32, vals *float32, n int, factor *float32, rows int", "column uint32")
	f.load("u", "R0", "cols", "R1", "vals", "R2", "n", "R3", "factor", "R4", "rows", "R6")
	f.loadPairs("R4", 0, 4)
	f.label("entry")
	f.op("MOVWU.P 4(R1), R7")
	f.op("CMP R6, R7") // a mapped file may change: nothing is written outside of u
	f.op("BHS outside")
	f.op("FMOVS.P 4(R2), F30")
	f.op("ADD R7<<6, R0, R5")
	f.op("FLDPQ (R5), (F16, F17)")
	f.op("FLDPQ 32(R5), (F18, F19)")
	for v := range 4 {
		f.vecBy("fmul.4s", 4+v, v, 30, 0)
		f.vec("fadd.4s", 16+v, 16+v, 4+v)
	}
	f.storePairs("R5", 16, 4)
	f.again("R3", "entry")
	f.op("MOVW ZR, R7")
	f.label("outside")
	f.give("R7", "column")
	return f
}
