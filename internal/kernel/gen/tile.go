package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The tile of the product of float64 matrices: 12 sums of four lanes, three
// vectors and a number leave no register unused.
const (
	tileRows = 4
	tileVecs = 3
)

// genTile64 writes dst ← dst + A·B for two strips of float64.
func genTile64() {
	routine("tileVectors", "func(dst *float64, stride int, a, b *float64, n int)",
		"adds 4×12 sums of n products each, for two strips.")
	dst, stride, a, b, left := param("dst"), param("stride"), param("a"), param("b"), param("n")
	SHLQ(Imm(3), stride)
	sums := make([][]reg.VecVirtual, tileRows)
	for r := range sums {
		for range tileVecs {
			s := YMM()
			VXORPD(s, s, s)
			sums[r] = append(sums[r], s)
		}
	}
	Label("tileStep")
	ys := make([]reg.VecVirtual, tileVecs)
	for v := range ys {
		ys[v] = YMM()
		VMOVUPD(Mem{Base: b, Disp: 32 * v}, ys[v])
	}
	for r := range sums {
		x := YMM()
		VBROADCASTSD(Mem{Base: a, Disp: 8 * r}, x)
		for v, y := range ys {
			VFMADD231PD(x, y, sums[r][v])
		}
	}
	ADDQ(Imm(8*tileRows), a)
	ADDQ(Imm(32*tileVecs), b)
	again(left, "tileStep")
	for r := range sums {
		for v, s := range sums[r] {
			VADDPD(Mem{Base: dst, Disp: 32 * v}, s, s)
			VMOVUPD(s, Mem{Base: dst, Disp: 32 * v})
		}
		ADDQ(stride, dst)
	}
	returnClean()
}
