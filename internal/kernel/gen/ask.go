package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// genAsk writes the requests for rows of a block: the first and the last number of each.
func genAsk() {
	TEXT("ask", NOSPLIT, "func(x *float32, stride, last int, rows *uint32, n int)")
	Doc("ask asks for n rows, stride bytes apart, and for what lies last bytes behind the beginning of each.")
	Pragma("noescape")
	x, stride, last := Load(Param("x"), GP64()), Load(Param("stride"), GP64()), Load(Param("last"), GP64())
	rows, n := Load(Param("rows"), GP64()), Load(Param("n"), GP64())
	Label("ask")
	at := GP64()
	MOVL(Mem{Base: rows}, at.As32())
	IMULQ(stride, at)
	ADDQ(x, at)
	PREFETCHT0(Mem{Base: at})
	PREFETCHT0(Mem{Base: at, Index: last, Scale: 1})
	ADDQ(Imm(4), rows)
	DECQ(n)
	JNZ(LabelRef("ask"))
	RET()
}
