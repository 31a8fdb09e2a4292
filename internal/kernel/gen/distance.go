package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// distanceStep is the number of floats that a pass of the loop takes: four vectors,
// so that the sums do not wait for each other.
const distanceStep = 32

// genDistance writes Σ(x−y)² of some steps of floats. Memory sets its speed: there
// is no version with longer vectors.
func genDistance() {
	routine("distanceVectors", "func(x, y *float32, steps int) float32",
		"returns Σ(x−y)² of 32·steps floats.")
	x, y, left := param("x"), param("y"), param("steps")
	var sums []reg.VecVirtual
	for range 4 {
		s := YMM()
		VXORPS(s, s, s)
		sums = append(sums, s)
	}
	Label("step")
	for k, s := range sums {
		d := YMM()
		VMOVUPS(Mem{Base: x, Disp: 32 * k}, d)
		VSUBPS(Mem{Base: y, Disp: 32 * k}, d, d)
		VFMADD231PS(d, d, s)
	}
	ADDQ(Imm(4*distanceStep), x)
	ADDQ(Imm(4*distanceStep), y)
	again(left, "step")
	VADDPS(sums[1], sums[0], sums[0])
	VADDPS(sums[3], sums[2], sums[2])
	VADDPS(sums[2], sums[0], sums[0])
	half := XMM()
	VEXTRACTF128(Imm(1), sums[0], half)
	total := XMM()
	VADDPS(sums[0].AsX(), half, total)
	VHADDPS(total, total, total)
	VHADDPS(total, total, total)
	Store(total, ReturnIndex(0))
	returnClean()
}

// genExact writes the sum of a function of x and y, of some steps of four floats in float64: combine
// makes x that function. It is rounded before it is added, as portable Go does it.
func genExact(name, formula string, combine func(x, y reg.VecVirtual)) {
	routine(name, "func(s *float64, x, y *float32, steps int)",
		"sets s to the four lanes of Σ"+formula+" of 4·steps floats, in float64.")
	s, x, y, left := param("s"), param("x"), param("y"), param("steps")
	sum, a, b := YMM(), YMM(), YMM()
	VXORPD(sum, sum, sum)
	Label("step")
	VCVTPS2PD(Mem{Base: x}, a)
	VCVTPS2PD(Mem{Base: y}, b)
	combine(a, b)
	VADDPD(a, sum, sum)
	ADDQ(Imm(16), x)
	ADDQ(Imm(16), y)
	again(left, "step")
	VMOVUPD(sum, Mem{Base: s})
	returnClean()
}

// genExacts writes the functions of package kernel that [genExact] makes.
func genExacts() {
	genExact("sumSquaresVectors", "(x−y)²", func(x, y reg.VecVirtual) {
		VSUBPD(y, x, x)
		VMULPD(x, x, x)
	})
	genExact("sumProductsVectors", "xy", func(x, y reg.VecVirtual) { VMULPD(y, x, x) })
	genExact("sumDifferencesVectors", "|x−y|", func(x, y reg.VecVirtual) {
		VSUBPD(y, x, x)
		VPSLLQ(Imm(1), x, x) // the sign
		VPSRLQ(Imm(1), x, x)
	})
}
