package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The loops of the conjugate gradients are bound by the memory, so that AVX2
// does for all processors that have it. Blocks are read in periods, and a
// period in vectors of eight; coefficients and sums are those of a period.

// genColumns writes the loop over periods and vectors. body works on the vector
// at byte k of each block and byte at of the coefficients; sums lie at 2·at.
func genColumns(name, signature, doc string, blocks []string, body func(block map[string]reg.Register, k, at reg.Register)) {
	routine(name, signature, doc)
	block := map[string]reg.Register{}
	for _, b := range blocks {
		block[b] = param(b)
	}
	period, left := param("period"), param("periods")
	SHLQ(Imm(2), period)
	k, at := GP64(), GP64()
	XORQ(k, k)
	TESTQ(left, left)
	JZ(LabelRef("end" + name))
	Label("period" + name)
	XORQ(at, at)
	Label("vector" + name)
	body(block, k, at)
	ADDQ(Imm(32), k)
	ADDQ(Imm(32), at)
	CMPQ(at, period)
	JLT(LabelRef("vector" + name))
	again(left, "period"+name)
	Label("end" + name)
	returnClean()
}

// vectorAt returns the place of a vector in a block.
func vectorAt(block, k reg.Register) Mem { return Mem{Base: block, Index: k, Scale: 1} }

// load loads the vector at m.
func load(m Mem) reg.VecVirtual {
	v := YMM()
	VMOVUPS(m, v)
	return v
}

// addProducts adds the products of two vectors to the sums at byte 2·at, in
// float64, where the products are exact.
func addProducts(x, y reg.VecVirtual, sum, at reg.Register) {
	for half := range 2 {
		xs, ys := wide(x, half), wide(y, half)
		VMULPD(xs, ys, ys)
		to := Mem{Base: sum, Index: at, Scale: 2, Disp: 32 * half}
		VADDPD(to, ys, ys)
		VMOVUPD(ys, to)
	}
}

// wide converts half of a vector to float64.
func wide(v reg.VecVirtual, half int) reg.VecVirtual {
	to := YMM()
	if half == 0 {
		VCVTPS2PD(v.AsX(), to)
		return to
	}
	upper := XMM()
	VEXTRACTF128(Imm(1), v, upper)
	VCVTPS2PD(upper, to)
	return to
}

func genMinusDot() {
	genColumns(
		"minusDotVectors", "func(q, p *float32, alpha *float32, sum *float64, period, periods int)",
		"computes q ← p − alpha·q and adds p·q to sum.", []string{"q", "p", "alpha", "sum"},
		func(block map[string]reg.Register, k, at reg.Register) {
			alpha := YMM()
			VBROADCASTSS(Mem{Base: block["alpha"]}, alpha)
			p := load(vectorAt(block["p"], k))
			VMULPS(vectorAt(block["q"], k), alpha, alpha)
			q := YMM()
			VSUBPS(alpha, p, q)
			VMOVUPS(q, vectorAt(block["q"], k))
			addProducts(p, q, block["sum"], at)
		})
}

func genDescend() {
	genColumns(
		"descendVectors", "func(r, q *float32, a *float32, sum *float64, period, periods int)",
		"computes r ← r − a·q and adds r·r to sum.", []string{"r", "q", "a", "sum"},
		func(block map[string]reg.Register, k, at reg.Register) {
			step := load(vectorAt(block["a"], at))
			VMULPS(vectorAt(block["q"], k), step, step)
			r := load(vectorAt(block["r"], k))
			VSUBPS(step, r, r)
			VMOVUPS(r, vectorAt(block["r"], k))
			addProducts(r, r, block["sum"], at)
		})
}

func genAdvance() {
	genColumns(
		"advanceVectors", "func(x, p, r *float32, a, b *float32, period, periods int)",
		"computes x ← x + a·p and p ← r + b·p.", []string{"x", "p", "r", "a", "b"},
		func(block map[string]reg.Register, k, at reg.Register) {
			p := load(vectorAt(block["p"], k))
			step := load(vectorAt(block["a"], at))
			VMULPS(p, step, step)
			VADDPS(vectorAt(block["x"], k), step, step)
			VMOVUPS(step, vectorAt(block["x"], k))
			VMULPS(vectorAt(block["b"], at), p, p)
			VADDPS(vectorAt(block["r"], k), p, p)
			VMOVUPS(p, vectorAt(block["p"], k))
		})
}
