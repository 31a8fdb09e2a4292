package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// genAsk writes the requests for rows of a block: the first and the last number of each.
func genAsk() {
	routine("ask", "func(x *float32, stride, last int, rows *uint32, n int)",
		"asks for n rows, stride bytes apart, and for what lies last bytes behind the beginning of each.")
	x, stride, last, rows, n := param("x"), param("stride"), param("last"), param("rows"), param("n")
	Label("ask")
	at := GP64()
	MOVL(Mem{Base: rows}, at.As32())
	IMULQ(stride, at)
	ADDQ(x, at)
	PREFETCHT0(Mem{Base: at})
	PREFETCHT0(Mem{Base: at, Index: last, Scale: 1})
	ADDQ(Imm(4), rows)
	again(n, "ask")
	RET()
}
