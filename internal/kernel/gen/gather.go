package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// width is the number of floats in a row of the block of gather and spread.
const width = 16

// genGather writes the products of sparse rows with a dense matrix of 16
// columns, up to the first that comes up to a bound. Products are rounded before
// they are added, in the order of the entries, so that the sums have the bits of
// the portable loop.
func genGather(m machine) {
	routine("gather"+m.name, "func(v *float32, indptr *int64, cols *uint32, vals, u, norms, norm, limit *float32, from, to int) (row int, mask uint32)",
		"adds up rows of 16 numbers of u, each times a number, for a sparse row after the other.")
	indptr, cols, vals, u, norms, row, to := param("indptr"), param("cols"), param("vals"), param("u"), param("norms"), param("from"), param("to")
	norm, limit := loadRow(m, "norm"), loadRow(m, "limit")
	var sums []reg.VecVirtual
	for range norm {
		sums = append(sums, m.vector())
	}

	mask := GP32()
	XORL(mask, mask)
	k, end := GP64(), GP64()
	CMPQ(row, to)
	JGE(LabelRef("done" + m.name))
	MOVQ(Mem{Base: indptr, Index: row, Scale: 8}, k)
	Label("row" + m.name)
	MOVQ(Mem{Base: indptr, Index: row, Scale: 8, Disp: 8}, end)
	for _, sum := range sums {
		reset(m.lanes, sum)
	}
	CMPQ(k, end)
	JGE(LabelRef("bound" + m.name))

	Label("entry" + m.name)
	at, factor := GP64(), m.vector()
	MOVL(Mem{Base: cols, Index: k, Scale: 4}, at.As32())
	SHLQ(Imm(6), at) // 64 bytes a row
	VBROADCASTSS(Mem{Base: vals, Index: k, Scale: 4}, factor)
	for part, sum := range sums {
		product := m.vector()
		VMULPS(Mem{Base: u, Index: at, Scale: 1, Disp: part * m.lanes * 4}, factor, product)
		VADDPS(product, sum, sum)
	}
	INCQ(k)
	CMPQ(k, end)
	JLT(LabelRef("entry" + m.name))

	Label("bound" + m.name)
	longest := m.vector()
	VBROADCASTSS(Mem{Base: norms, Index: row, Scale: 4}, longest)
	for part, sum := range sums {
		bound := m.vector()
		VMULPS(norm[part], longest, bound)
		VADDPS(sum, bound, bound)
		put(m.atMost(limit[part], bound), mask, part*m.lanes)
	}
	TESTL(mask, mask)
	JNZ(LabelRef("done" + m.name))
	INCQ(row)
	CMPQ(row, to)
	JLT(LabelRef("row" + m.name))

	Label("done" + m.name)
	v := param("v")
	for part, sum := range sums {
		VMOVUPS(sum, Mem{Base: v, Disp: part * m.lanes * 4})
	}
	Store(row, Return("row"))
	Store(mask, Return("mask"))
	returnClean()
}

// genSpread writes the sum of a row of 16 numbers, times a number each, to some
// rows of a dense matrix of 16 columns.
func genSpread(m machine) {
	routine("spread"+m.name, "func(u *float32, cols *uint32, vals *float32, n int, factor *float32, rows int) (column uint32)",
		"adds 16 factors, times vals[k], to row cols[k] of u, for k < n. It stops at the first column that is not below rows and returns it; else 0.")
	u, cols, vals, left := param("u"), param("cols"), param("vals"), param("n")
	factor, rows := loadRow(m, "factor"), param("rows")

	Label("spread" + m.name)
	row, times := GP64(), m.vector()
	MOVL(Mem{Base: cols}, row.As32())
	CMPQ(row, rows) // as addRows does
	JCC(LabelRef("outside" + m.name))
	SHLQ(Imm(6), row)
	VBROADCASTSS(Mem{Base: vals}, times)
	for part, f := range factor {
		place := Mem{Base: u, Index: row, Scale: 1, Disp: part * m.lanes * 4}
		product := m.vector()
		VMULPS(f, times, product)
		VADDPS(place, product, product)
		VMOVUPS(product, place)
	}
	ADDQ(Imm(4), cols)
	ADDQ(Imm(4), vals)
	again(left, "spread"+m.name)
	XORL(row.As32(), row.As32())
	Label("outside" + m.name)
	Store(row.As32(), Return("column"))
	returnClean()
}

// loadRow loads the 16 numbers that a parameter points to.
func loadRow(m machine, name string) (row []reg.VecVirtual) {
	from := param(name)
	for at := 0; at < width; at += m.lanes {
		v := m.vector()
		VMOVUPS(Mem{Base: from, Disp: at * 4}, v)
		row = append(row, v)
	}
	return row
}

// zero returns a cleared vector.
func zero(m machine) reg.VecVirtual {
	v := m.vector()
	reset(m.lanes, v)
	return v
}

// reset clears a vector.
func reset(lanes int, v reg.VecVirtual) {
	if lanes == 16 {
		VPXORD(v, v, v)
	} else {
		VXORPS(v, v, v)
	}
}
