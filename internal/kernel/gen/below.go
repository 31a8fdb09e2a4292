package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lessOrEqual is the predicate of an ordered comparison: false with a NaN.
const lessOrEqual = 18

// atMost returns a bit for each lane of x that is at most that of y.
func (m machine) atMost(x reg.VecVirtual, y Op) reg.GPVirtual {
	bits := GP32()
	if m.lanes == 16 {
		k := K()
		VCMPPS(Imm(lessOrEqual), y, x, k)
		KMOVW(k, bits)
	} else {
		v := m.vector()
		VCMPPS(Imm(lessOrEqual), y, x, v)
		VMOVMSKPS(v, bits)
	}
	return bits
}

// put puts the bits of a vector into a word, from one of its bits on.
func put(bits, word reg.GPVirtual, from int) {
	if from > 0 {
		SHLL(Imm(uint64(from)), bits)
	}
	ORL(bits, word)
}

// genBelow writes the comparison of a row of products with thresholds.
func genBelow(m machine) {
	routine("below"+m.name, "func(mask *uint32, p, low, tau *float32, panels int, rowLow, rowTau, w float32)",
		"sets the bits of the columns within their threshold.")
	genMask(m, m.name, func(p, low, tau reg.Register) func(col int) reg.GPVirtual {
		rowLow, rowTau, w := spread(m, "rowLow"), spread(m, "rowTau"), spread(m, "w")
		return func(col int) reg.GPVirtual {
			v, limit := m.vector(), m.vector()
			VADDPS(Mem{Base: low, Disp: col * 4}, rowLow, v)
			VFNMADD231PS(Mem{Base: p, Disp: col * 4}, w, v)
			VMAXPS(Mem{Base: tau, Disp: col * 4}, rowTau, limit)
			return m.atMost(v, limit)
		}
	})
}

// genMask writes the body of a function that compares a row with thresholds, and makes one word of the
// mask of 32 columns. begin loads what is the same for all columns, and returns what compares those
// of a vector.
func genMask(m machine, label string, begin func(p, low, tau reg.Register) (compare func(col int) reg.GPVirtual)) {
	mask, p, low, tau, left := param("mask"), param("p"), param("low"), param("tau"), param("panels")
	compare := begin(p, low, tau)

	Label("panel" + label)
	word := GP32()
	XORL(word, word)
	for col := 0; col < rows; col += m.lanes {
		put(compare(col), word, col)
	}
	MOVL(word, Mem{Base: mask})
	ADDQ(Imm(4), mask)
	for _, at := range []reg.Register{p, low, tau} {
		ADDQ(U32(stepBytes), at)
	}
	again(left, "panel"+label)
	returnClean()
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
