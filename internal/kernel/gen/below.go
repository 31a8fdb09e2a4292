package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lessOrEqual is the predicate of an ordered comparison: false with a NaN.
const lessOrEqual = 18

// genBelow writes the comparison of a row of products with thresholds.
func genBelow(m machine) {
	TEXT("below"+m.name, NOSPLIT, "func(mask *uint32, p, low, tau *float32, panels int, rowLow, rowTau, w float32)")
	Doc(fmt.Sprintf("below%s sets the bits of the columns within their threshold.", m.name))
	genMask(m, m.name, func(p, low, tau reg.Register) func(col int) reg.GPVirtual {
		rowLow, rowTau, w := spread(m, "rowLow"), spread(m, "rowTau"), spread(m, "w")
		return func(col int) reg.GPVirtual {
			v, limit := m.vector(), m.vector()
			VADDPS(Mem{Base: low, Disp: col * 4}, rowLow, v)
			VFNMADD231PS(Mem{Base: p, Disp: col * 4}, w, v)
			VMAXPS(Mem{Base: tau, Disp: col * 4}, rowTau, limit)
			bits := GP32()
			if m.lanes == 16 {
				k := K()
				VCMPPS(Imm(lessOrEqual), limit, v, k)
				KMOVW(k, bits)
			} else {
				VCMPPS(Imm(lessOrEqual), limit, v, v)
				VMOVMSKPS(v, bits)
			}
			return bits
		}
	})
}

// genMask writes the body of a function that compares a row with thresholds, and makes one word of the
// mask of 32 columns. begin loads what is the same for all columns, and returns what compares those
// of a vector.
func genMask(m machine, label string, begin func(p, low, tau reg.Register) (compare func(col int) reg.GPVirtual)) {
	Pragma("noescape")
	mask, p := Load(Param("mask"), GP64()), Load(Param("p"), GP64())
	low, tau := Load(Param("low"), GP64()), Load(Param("tau"), GP64())
	left := Load(Param("panels"), GP64())
	compare := begin(p, low, tau)

	Label("panel" + label)
	word := GP32()
	XORL(word, word)
	for col := 0; col < rows; col += m.lanes {
		bits := compare(col)
		if col > 0 {
			SHLL(Imm(uint64(col)), bits)
		}
		ORL(bits, word)
	}
	MOVL(word, Mem{Base: mask})
	ADDQ(Imm(4), mask)
	for _, at := range []reg.Register{p, low, tau} {
		ADDQ(U32(stepBytes), at)
	}
	DECQ(left)
	JNZ(LabelRef("panel" + label))
	VZEROUPPER()
	RET()
}

// spread loads a number into all lanes of a vector.
func spread(m machine, name string) reg.VecVirtual {
	v := m.vector()
	number, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(number.Addr, v)
	return v
}
