package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// genDotsBytes writes the products of two panels of bytes, as genDots those of
// floats: an instruction multiplies and adds four coordinates.
func genDotsBytes() {
	m := avx512
	TEXT("dotsBytesAVX512", NOSPLIT, "func(dst *int32, stride int, a, b *byte, n int, add bool)")
	Doc("dotsBytesAVX512 computes 32×32 sums of 4·n products each, for two panels of bytes.")
	Pragma("noescape")
	dst, stride := Load(Param("dst"), GP64()), Load(Param("stride"), GP64())
	a, b := Load(Param("a"), GP64()), Load(Param("b"), GP64())
	n, add := Load(Param("n"), GP64()), Load(Param("add"), GP8())
	SHLQ(Imm(2), stride)

	flip, top := ZMM(), GP32() // takes 128 from a byte, as a signed one
	MOVL(U32(0x80808080), top)
	VPBROADCASTD(top, flip)
	bands := GP64()
	MOVQ(U32(rows/m.tileRows), bands)
	Label("bandBytes")
	for col := 0; col < rows; col += m.tileVecs * m.lanes {
		genTileBytes(m, col, flip, dst, stride, a, b, n, add)
	}
	ADDQ(Imm(uint64(m.tileRows*4)), a)
	for range m.tileRows {
		ADDQ(stride, dst)
	}
	DECQ(bands)
	JNZ(LabelRef("bandBytes"))
	VZEROUPPER()
	RET()
}

// genTileBytes writes the sums of one tile at column col of the panel of b.
func genTileBytes(m machine, col int, flip reg.VecVirtual, dst, stride, a, b, n, add reg.Register) {
	label := func(what string) string { return fmt.Sprintf("%sBytes%d", what, col) }
	sums := make([][]reg.VecVirtual, m.tileRows)
	for r := range sums {
		for range m.tileVecs {
			s := ZMM()
			VPXORD(s, s, s)
			sums[r] = append(sums[r], s)
		}
	}
	pa, pb, left := GP64(), GP64(), GP64()
	MOVQ(a, pa)
	MOVQ(b, pb)
	MOVQ(n, left)
	Label(label("step"))
	ys := make([]reg.VecVirtual, m.tileVecs)
	for v := range ys {
		ys[v] = ZMM()
		VPXORD(Mem{Base: pb, Disp: (col + v*m.lanes) * 4}, flip, ys[v])
	}
	for r := range sums {
		x := ZMM()
		VPBROADCASTD(Mem{Base: pa, Disp: r * 4}, x)
		for v, y := range ys {
			VPDPBUSD(y, x, sums[r][v])
		}
	}
	ADDQ(Imm(stepBytes), pa)
	ADDQ(U32(stepBytes), pb)
	DECQ(left)
	JNZ(LabelRef(label("step")))

	out := GP64()
	MOVQ(dst, out)
	TESTB(add, add)
	JZ(LabelRef(label("store")))
	for r := range sums {
		for v, s := range sums[r] {
			VPADDD(Mem{Base: out, Disp: (col + v*m.lanes) * 4}, s, s)
		}
		ADDQ(stride, out)
	}
	MOVQ(dst, out)
	Label(label("store"))
	for r := range sums {
		for v, s := range sums[r] {
			VMOVDQU32(s, Mem{Base: out, Disp: (col + v*m.lanes) * 4})
		}
		ADDQ(stride, out)
	}
}

// genBelowWhole writes the comparison of genBelow for whole numbers.
func genBelowWhole() {
	m := avx512
	TEXT("belowWholeAVX512", NOSPLIT, "func(mask *uint32, p, low, tau *int32, panels int, rowLow, rowTau int32)")
	Doc("belowWholeAVX512 sets the bits of the columns within their threshold.")
	Pragma("noescape")
	mask, p := Load(Param("mask"), GP64()), Load(Param("p"), GP64())
	low, tau := Load(Param("low"), GP64()), Load(Param("tau"), GP64())
	left := Load(Param("panels"), GP64())
	rowLow, rowTau := ZMM(), ZMM()
	VPBROADCASTD(Load(Param("rowLow"), GP32()), rowLow)
	VPBROADCASTD(Load(Param("rowTau"), GP32()), rowTau)
	Label("panelWhole")
	word := GP32()
	XORL(word, word)
	for col := 0; col < rows; col += m.lanes {
		v, twice, limit, k, bits := ZMM(), ZMM(), ZMM(), K(), GP32()
		VPSLLD(Imm(1), Mem{Base: p, Disp: col * 4}, twice)
		VPADDD(Mem{Base: low, Disp: col * 4}, rowLow, v)
		VPSUBD(twice, v, v)
		VPMAXSD(Mem{Base: tau, Disp: col * 4}, rowTau, limit)
		VPCMPD(Imm(2), limit, v, k) // less or equal
		KMOVW(k, bits)
		if col > 0 {
			SHLL(Imm(uint64(col)), bits)
		}
		ORL(bits, word)
	}
	MOVL(word, Mem{Base: mask})
	ADDQ(Imm(4), mask)
	for _, at := range []reg.Register{p, low, tau} {
		ADDQ(U32(stepBytes), at)
	}
	DECQ(left)
	JNZ(LabelRef("panelWhole"))
	VZEROUPPER()
	RET()
}
