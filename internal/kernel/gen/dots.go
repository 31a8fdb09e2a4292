package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// machine is what the two vector extensions differ in.
type machine struct {
	name     string
	lanes    int // float32 in a vector
	tileRows int // rows and vectors of the part of the result held in registers
	tileVecs int
	vector   func() reg.VecVirtual
}

var (
	avx512 = machine{"AVX512", 16, 8, 2, ZMM}
	avx2   = machine{"AVX2", 8, 4, 2, YMM}
)

// panelsAhead is how many coordinates ahead panels are asked for: two lines each.
const panelsAhead = 16

// product is how a machine multiplies the numbers of two panels and adds them up.
type product struct {
	machine
	label      string                         // ends the labels
	begin      func()                         // before all loops; may be nil
	load       func(at Mem, y reg.VecVirtual) // a vector of B
	ahead      bool                           // ask for panels before they are needed
	spread     func(...Op)                    // a number of A into all lanes
	fuse       func(x, y, sum reg.VecVirtual) // x of A and y of B
	add, store func(...Op)                    // sums
}

// genDots writes dst ← A·Bᵀ for two panels of floats.
func genDots(m machine) {
	routine("dots"+m.name, "func(dst *float32, stride int, a, b *float32, n int, add bool)",
		"computes 32×32 sums of n products each, for two panels.")
	p := product{
		machine: m, label: m.name, ahead: m.lanes == 16, // AVX2 multiplies half as fast: panels come in time
		load:   func(at Mem, y reg.VecVirtual) { VMOVUPS(at, y) },
		spread: VBROADCASTSS,
		fuse:   func(x, y, sum reg.VecVirtual) { VFMADD231PS(x, y, sum) },
		add:    VADDPS, store: VMOVUPS,
	}
	p.gen()
}

// genDifferences writes dst_rs ← Σ_p |a_rp − b_sp| for two panels of floats.
func genDifferences(m machine) {
	routine("differences"+m.name, "func(dst *float32, stride int, a, b *float32, n int, add bool)",
		"computes 32×32 sums of n absolute differences each, for two panels.")
	absolute, and := m.vector(), VANDPS // all bits but the sign
	if m.lanes == 16 {
		and = VPANDD
	}
	p := product{
		machine: m, label: "Differences" + m.name,
		begin: func() {
			bits := GP32()
			MOVL(U32(math.MaxInt32), bits)
			low := XMM()
			VMOVD(bits, low)
			VPBROADCASTD(low, absolute)
		},
		load:   func(at Mem, y reg.VecVirtual) { VMOVUPS(at, y) },
		spread: VBROADCASTSS,
		fuse: func(x, y, sum reg.VecVirtual) {
			away := m.vector()
			VSUBPS(y, x, away)
			and(absolute, away, away)
			VADDPS(away, sum, sum)
		},
		add: VADDPS, store: VMOVUPS,
	}
	p.gen()
}

// gen writes the body of a function of two panels. The result is made in tiles of
// tileRows × tileVecs·lanes sums that stay in registers; a step loads
// tileVecs vectors of B, and multiplies each by one number of A at a time.
func (p *product) gen() {
	dst, stride, a, b := param("dst"), param("stride"), param("a"), param("b")
	n, add := param("n"), Load(Param("add"), GP8())
	SHLQ(Imm(2), stride)
	if p.begin != nil {
		p.begin()
	}

	bands := GP64()
	MOVQ(U32(rows/p.tileRows), bands)
	Label("band" + p.label)
	for col := 0; col < rows; col += p.tileVecs * p.lanes {
		p.genTile(col, dst, stride, a, b, n, add)
	}
	ADDQ(Imm(uint64(p.tileRows*4)), a)
	for range p.tileRows {
		ADDQ(stride, dst)
	}
	again(bands, "band"+p.label)
	returnClean()
}

// genTile writes the sums of one tile at column col of the panel of b.
func (p *product) genTile(col int, dst, stride, a, b, n, add reg.Register) {
	label := func(what string) string { return fmt.Sprintf("%s%s%d", what, p.label, col) }
	sums := make([][]reg.VecVirtual, p.tileRows)
	for r := range sums {
		for range p.tileVecs {
			sums[r] = append(sums[r], zero(p.machine))
		}
	}
	pa, pb, left := GP64(), GP64(), GP64()
	MOVQ(a, pa)
	MOVQ(b, pb)
	MOVQ(n, left)
	Label(label("step"))
	ys := make([]reg.VecVirtual, p.tileVecs)
	for v := range ys {
		ys[v] = p.vector()
		p.load(Mem{Base: pb, Disp: (col + v*p.lanes) * 4}, ys[v])
	}
	if p.ahead {
		for _, at := range []reg.Register{pa, pb} {
			PREFETCHT0(Mem{Base: at, Disp: panelsAhead * stepBytes})
			PREFETCHT0(Mem{Base: at, Disp: panelsAhead*stepBytes + 64})
		}
	}
	for r := range sums {
		x := p.vector()
		p.spread(Mem{Base: pa, Disp: r * 4}, x)
		for v, y := range ys {
			p.fuse(x, y, sums[r][v])
		}
	}
	ADDQ(Imm(stepBytes), pa)
	ADDQ(U32(stepBytes), pb)
	again(left, label("step"))

	out := GP64()
	MOVQ(dst, out)
	TESTB(add, add)
	JZ(LabelRef(label("store")))
	for r := range sums {
		for v, s := range sums[r] {
			p.add(Mem{Base: out, Disp: (col + v*p.lanes) * 4}, s, s)
		}
		ADDQ(stride, out)
	}
	MOVQ(dst, out)
	Label(label("store"))
	for r := range sums {
		for v, s := range sums[r] {
			p.store(s, Mem{Base: out, Disp: (col + v*p.lanes) * 4})
		}
		ADDQ(stride, out)
	}
}
