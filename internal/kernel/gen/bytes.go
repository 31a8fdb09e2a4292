package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// genDotsBytes writes the products of two panels of bytes, as genDots those of
// floats: an instruction multiplies and adds four coordinates.
func genDotsBytes() {
	routine("dotsBytesAVX512", "func(dst *int32, stride int, a, b *byte, n int, add bool)",
		"computes 32×32 sums of 4·n products each, for two panels of bytes.")
	var flip reg.VecVirtual // takes 128 from a byte, as a signed one
	p := product{
		machine: avx512, label: "Bytes",
		begin: func() {
			flip = ZMM()
			top := GP32()
			MOVL(U32(0x80808080), top)
			VPBROADCASTD(top, flip)
		},
		load:   func(at Mem, y reg.VecVirtual) { VPXORD(at, flip, y) },
		spread: VPBROADCASTD,
		fuse:   func(x, y, sum reg.VecVirtual) { VPDPBUSD(y, x, sum) },
		add:    VPADDD, store: VMOVDQU32,
	}
	p.gen()
}

// genBelowWhole writes the comparison of genBelow for whole numbers.
func genBelowWhole() {
	routine("belowWholeAVX512", "func(mask *uint32, p, low, tau *int32, panels int, rowLow, rowTau int32)",
		"sets the bits of the columns within their threshold.")
	genMask(avx512, "Whole", func(p, low, tau reg.Register) func(col int) reg.GPVirtual {
		rowLow, rowTau := ZMM(), ZMM()
		VPBROADCASTD(Load(Param("rowLow"), GP32()), rowLow)
		VPBROADCASTD(Load(Param("rowTau"), GP32()), rowTau)
		return func(col int) reg.GPVirtual {
			v, twice, limit, k, bits := ZMM(), ZMM(), ZMM(), K(), GP32()
			VPSLLD(Imm(1), Mem{Base: p, Disp: col * 4}, twice)
			VPADDD(Mem{Base: low, Disp: col * 4}, rowLow, v)
			VPSUBD(twice, v, v)
			VPMAXSD(Mem{Base: tau, Disp: col * 4}, rowTau, limit)
			VPCMPD(Imm(2), limit, v, k) // less or equal
			KMOVW(k, bits)
			return bits
		}
	})
}
