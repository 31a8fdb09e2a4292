package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// genRotate writes a plane rotation of two rows of float64, four numbers a step.
func genRotate() {
	routine("rotateVectors", "func(x, y *float64, c, s float64, steps int)",
		"computes x ← c·x − s·y and y ← s·x + c·y for 4·steps numbers.")
	x, y, left := param("x"), param("y"), param("steps")
	c, s := YMM(), YMM()
	VBROADCASTSD(NewParamAddr("c", 16), c)
	VBROADCASTSD(NewParamAddr("s", 24), s)
	Label("rotateStep")
	xs, ys, p, q := YMM(), YMM(), YMM(), YMM()
	VMOVUPD(Mem{Base: x}, xs)
	VMOVUPD(Mem{Base: y}, ys)
	VMULPD(ys, s, p)
	VMULPD(xs, s, q)
	VFMSUB231PD(xs, c, p)
	VFMADD231PD(ys, c, q)
	VMOVUPD(p, Mem{Base: x})
	VMOVUPD(q, Mem{Base: y})
	ADDQ(Imm(32), x)
	ADDQ(Imm(32), y)
	again(left, "rotateStep")
	returnClean()
}
