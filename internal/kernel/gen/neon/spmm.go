package main

import "fmt"

// spmm is one routine for the product of sparse rows with a dense block: a row of the
// result is held in count vectors of the given number of lanes. The last vector ends
// where the row ends, overlaps the one before, and some numbers are made twice.
type spmm struct{ lanes, count int }

// spmms are the routines for 1, 2, 3, 4 and up to 8, 12, … 32 columns.
var spmms = []spmm{{1, 1}, {2, 1}, {2, 2}, {4, 1}, {4, 2}, {4, 3}, {4, 4}, {4, 5}, {4, 6}, {4, 7}, {4, 8}}

// function writes the routine. The entries of a row are taken in their order, and
// products are rounded before they are added. Rows of X are asked for ahead of their
// use: ahead points into the columns, some entries further.
func (s spmm) function() *function {
	f := newFunction(
		fmt.Sprintf("mulRows%dx%d", s.lanes, s.count),
		fmt.Sprintf("multiplies sparse rows with a dense block, %d vectors of %d numbers a row.", s.count, s.lanes),
		"dst *float32, dstStep uintptr, x *float32, xStep uintptr, size uintptr, bounds *int64, rows int, cols *uint32, ahead *uint32, vals *float32", "")
	f.load("dst", "R0", "dstStep", "R1", "x", "R2", "xStep", "R3", "size", "R4", "bounds", "R5", "rows", "R6", "cols", "R7", "ahead", "R8", "vals", "R9")
	f.op("MOVD.P 8(R5), R10")
	f.op("CBZ R6, end")
	f.label("row")
	f.op("MOVD.P 8(R5), R11")
	f.zero(0, s.count-1)
	f.op("CMP R11, R10")
	f.op("BGE store")
	f.label("entry")
	f.op("MOVWU (R8)(R10<<2), R12")
	f.op("MADD R3, R2, R12, R12") // x + j·xStep
	for at := 0; at < 4*s.lanes*s.count; at += 64 {
		f.op("PRFM %d(R12), PLDL1KEEP", at)
	}
	if s.lanes*s.count > 4 { // the line of the last byte may be one more
		f.op("ADD R4, R12, R12")
		f.op("SUB $1, R12, R12")
		f.op("PRFM (R12), PLDL1KEEP")
	}
	f.op("MOVWU (R7)(R10<<2), R12")
	f.op("MADD R3, R2, R12, R12")
	f.op("FMOVS (R9)(R10<<2), F16")
	f.op("ADD R4, R12, R13")
	for v := range s.count {
		f.op("%s %s, F%d", s.move(), s.at(v, "R12", "R13"), 8+v)
	}
	for v := range s.count {
		switch s.lanes {
		case 1:
			f.op("FMULS F16, F8, F8")
			f.op("FADDS F8, F0, F0")
		case 2:
			f.vecBy("fmul.2s", 8+v, 8+v, 16, 0)
			f.vec("fadd.2s", v, v, 8+v)
		default:
			f.vecBy("fmul.4s", 8+v, 8+v, 16, 0)
			f.vec("fadd.4s", v, v, 8+v)
		}
	}
	f.op("ADD $1, R10")
	f.op("CMP R11, R10")
	f.op("BLT entry")
	f.label("store")
	f.op("ADD R4, R0, R13")
	for v := range s.count {
		f.op("%s F%d, %s", s.move(), v, s.at(v, "R0", "R13"))
	}
	f.op("ADD R1, R0")
	f.again("R6", "row")
	f.label("end")
	return f
}

// move is the instruction that moves a vector from or to memory.
func (s spmm) move() string {
	return map[int]string{1: "FMOVS", 2: "FMOVD", 4: "FMOVQ"}[s.lanes]
}

// at returns the place of vector v of a row between two places.
func (s spmm) at(v int, from, to string) string {
	if v > 0 && v == s.count-1 {
		return fmt.Sprintf("-%d(%s)", 4*s.lanes, to)
	}
	return fmt.Sprintf("%d(%s)", 4*s.lanes*v, from)
}
