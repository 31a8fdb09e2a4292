package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// genAtLeast writes the comparison of numbers with a floor: 32 of them make one
// word of the mask.
func genAtLeast(m machine) {
	TEXT("atLeast"+m.name, NOSPLIT, "func(mask *uint32, vals *float32, words int, floor float32)")
	Doc(fmt.Sprintf("atLeast%s sets the bits of the numbers that are at least floor.", m.name))
	Pragma("noescape")
	mask, vals := Load(Param("mask"), GP64()), Load(Param("vals"), GP64())
	left := Load(Param("words"), GP64())
	floor := spread(m, "floor")

	Label("word" + m.name)
	word := GP32()
	XORL(word, word)
	for at := 0; at < rows; at += m.lanes {
		bits := GP32()
		if m.lanes == 16 {
			k := K()
			VCMPPS(Imm(lessOrEqual), Mem{Base: vals, Disp: at * 4}, floor, k)
			KMOVW(k, bits)
		} else {
			v := m.vector()
			VCMPPS(Imm(lessOrEqual), Mem{Base: vals, Disp: at * 4}, floor, v)
			VMOVMSKPS(v, bits)
		}
		if at > 0 {
			SHLL(Imm(uint64(at)), bits)
		}
		ORL(bits, word)
	}
	MOVL(word, Mem{Base: mask})
	ADDQ(Imm(4), mask)
	ADDQ(U32(stepBytes), vals)
	DECQ(left)
	JNZ(LabelRef("word" + m.name))
	VZEROUPPER()
	RET()
}
