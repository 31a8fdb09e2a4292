package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// genRotate writes a plane rotation of two rows of float64, four numbers a step.
func genRotate() {
	TEXT("rotateVectors", NOSPLIT, "func(x, y *float64, c, s float64, steps int)")
	Doc("rotateVectors computes x ← c·x − s·y and y ← s·x + c·y for 4·steps numbers.")
	Pragma("noescape")
	x, y, left := Load(Param("x"), GP64()), Load(Param("y"), GP64()), Load(Param("steps"), GP64())
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
	DECQ(left)
	JNZ(LabelRef("rotateStep"))
	VZEROUPPER()
	RET()
}
