package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Rows of a matrix that are asked for before their use: their offsets, then
// their entries, then the places of their columns.
const (
	offsetsAhead = 16
	entriesAhead = 8
	placesAhead  = 2
)

// genAddRows writes the sum of scaled sparse rows. It needs no vectors: what it
// has over the portable loop is that it asks for the rows ahead and checks no
// bounds. Parameters that only the loop over rows needs stay in memory.
func genAddRows() {
	routine("addRows", "func(place, sumCols *uint32, sumVals *float32, base, next uint32, rows *uint32, scale *float32, n int, indptr *int64, cols *uint32, vals *float32, nnz, places int) (end, column uint32)",
		"adds n scaled rows of a sparse matrix of nnz entries and returns the next free place. It stops at the first column that has no place, and returns it, else 0.")
	place, sumCols, sumVals := param("place"), param("sumCols"), param("sumVals")
	base, next := Load(Param("base"), GP32()), Load(Param("next"), GP32())
	places := param("places")

	// Places count from base: move the arrays so that a place is an index.
	back := GP64()
	MOVL(base, back.As32())
	NEGQ(back)
	LEAQ(Mem{Base: sumCols, Index: back, Scale: 4}, sumCols)
	LEAQ(Mem{Base: sumVals, Index: back, Scale: 4}, sumVals)

	m := GP64()
	XORQ(m, m)
	Label("row")
	rows, indptr, last := param("rows"), param("indptr"), param("n")
	DECQ(last)
	// rowAhead returns a row to come, past the last one the last.
	rowAhead := func(by int) reg.GPVirtual {
		at := GP64()
		LEAQ(Mem{Base: m, Disp: by}, at)
		CMPQ(at, last)
		CMOVQGT(last, at)
		MOVL(Mem{Base: rows, Index: at, Scale: 4}, at.As32())
		return at
	}
	PREFETCHT0(Mem{Base: indptr, Index: rowAhead(offsetsAhead), Scale: 8})
	cols, vals := param("cols"), param("vals")
	ahead := rowAhead(entriesAhead)
	final := GP64()
	MOVQ(Mem{Base: indptr, Index: ahead, Scale: 8, Disp: 8}, final)
	MOVQ(Mem{Base: indptr, Index: ahead, Scale: 8}, ahead)
	for _, array := range []reg.Register{cols, vals} {
		PREFETCHT0(Mem{Base: array, Index: ahead, Scale: 4})
		PREFETCHT0(Mem{Base: array, Index: final, Scale: 4, Disp: -4})
	}
	near := rowAhead(placesAhead)
	MOVQ(Mem{Base: indptr, Index: near, Scale: 8}, near)

	row, end, w := GP64(), GP64(), XMM()
	MOVL(Mem{Base: rows, Index: m, Scale: 4}, row.As32())
	scale := param("scale")
	MOVSS(Mem{Base: scale, Index: m, Scale: 4}, w)
	MOVQ(Mem{Base: indptr, Index: row, Scale: 8, Disp: 8}, end)
	MOVQ(Mem{Base: indptr, Index: row, Scale: 8}, row)
	LEAQ(Mem{Base: vals, Index: end, Scale: 4}, vals)
	toCome := GP64()
	LEAQ(Mem{Base: cols, Index: end, Scale: 4}, toCome)
	SUBQ(end, row) // from −(entries of the row) up to 0
	JGE(LabelRef("nextRow"))
	// As many entries are asked for as this row has, from where that row begins
	// on, but none past the last of the matrix.
	SUBQ(row, near)
	nnz := param("nnz")
	CMPQ(near, nnz)
	CMOVQGT(nnz, near)
	LEAQ(Mem{Base: cols, Index: near, Scale: 4}, near)

	Label("entry")
	j, at, x := GP64(), GP64(), XMM()
	MOVL(Mem{Base: near, Index: row, Scale: 4}, j.As32())
	PREFETCHT0(Mem{Base: place, Index: j, Scale: 4})
	MOVL(Mem{Base: toCome, Index: row, Scale: 4}, j.As32())
	// Columns were checked with the matrix. But where it is a mapped file that another
	// process changes, this must not write where there is no place.
	CMPQ(j, places)
	JCC(LabelRef("outside"))
	MOVSS(Mem{Base: vals, Index: row, Scale: 4}, x)
	MULSS(w, x)
	MOVL(Mem{Base: place, Index: j, Scale: 4}, at.As32())
	CMPL(at.As32(), base)
	CMOVLCS(next, at.As32()) // a place below base: the column is new
	ADCL(Imm(0), next)
	MOVL(at.As32(), Mem{Base: place, Index: j, Scale: 4})
	MOVL(j.As32(), Mem{Base: sumCols, Index: at, Scale: 4})
	ADDSS(Mem{Base: sumVals, Index: at, Scale: 4}, x)
	MOVSS(x, Mem{Base: sumVals, Index: at, Scale: 4})
	INCQ(row)
	JNZ(LabelRef("entry"))

	Label("nextRow")
	INCQ(m)
	count := param("n")
	CMPQ(m, count)
	JLT(LabelRef("row"))
	XORL(j.As32(), j.As32())
	Label("outside")
	Store(next, Return("end"))
	Store(j.As32(), Return("column"))
	RET()
}
