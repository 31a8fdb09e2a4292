package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// genAtLeast writes the comparison of numbers with a floor: 32 of them make one
// word of the mask.
func genAtLeast(m machine) {
	routine("atLeast"+m.name, "func(mask *uint32, vals *float32, words int, floor float32)",
		"sets the bits of the numbers that are at least floor.")
	mask, vals, left := param("mask"), param("vals"), param("words")
	floor := spread(m, "floor")

	Label("word" + m.name)
	word := GP32()
	XORL(word, word)
	for at := 0; at < rows; at += m.lanes {
		put(m.atMost(floor, Mem{Base: vals, Disp: at * 4}), word, at)
	}
	MOVL(word, Mem{Base: mask})
	ADDQ(Imm(4), mask)
	ADDQ(U32(stepBytes), vals)
	again(left, "word"+m.name)
	returnClean()
}
