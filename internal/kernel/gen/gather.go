package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// width is the number of floats in a row that gather reads.
const width = 16

// genGather writes the product of a sparse row with a dense matrix of 16
// columns. Products are rounded before they are added, in the order of the
// entries, so that the sums have the bits of the portable loop.
func genGather(m machine) {
	TEXT("gather"+m.name, NOSPLIT, "func(v *float32, cols *uint32, vals *float32, n int, u *float32)")
	Doc(fmt.Sprintf("gather%s adds up n rows of 16 numbers of u, each times a number.", m.name))
	Pragma("noescape")
	v, cols := Load(Param("v"), GP64()), Load(Param("cols"), GP64())
	vals, left := Load(Param("vals"), GP64()), Load(Param("n"), GP64())
	u := Load(Param("u"), GP64())

	var sums []reg.VecVirtual
	for at := 0; at < width; at += m.lanes {
		sums = append(sums, zero(m))
	}
	TESTQ(left, left)
	JZ(LabelRef("done" + m.name))

	Label("entry" + m.name)
	row, factor := GP64(), m.vector()
	MOVL(Mem{Base: cols}, row.As32())
	SHLQ(Imm(6), row) // 64 bytes a row
	VBROADCASTSS(Mem{Base: vals}, factor)
	for k, sum := range sums {
		product := m.vector()
		VMULPS(Mem{Base: u, Index: row, Scale: 1, Disp: k * m.lanes * 4}, factor, product)
		VADDPS(product, sum, sum)
	}
	ADDQ(Imm(4), cols)
	ADDQ(Imm(4), vals)
	DECQ(left)
	JNZ(LabelRef("entry" + m.name))

	Label("done" + m.name)
	for k, sum := range sums {
		VMOVUPS(sum, Mem{Base: v, Disp: k * m.lanes * 4})
	}
	VZEROUPPER()
	RET()
}

// zero returns a cleared vector.
func zero(m machine) reg.VecVirtual {
	v := m.vector()
	if m.lanes == 16 {
		VPXORD(v, v, v)
	} else {
		VXORPS(v, v, v)
	}
	return v
}
