package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sortLanes numbers fit a vector, mostSorted are the numbers of the longest row.
const (
	sortLanes  = 8
	mostSorted = 64
)

// genSortRows writes the sort of short rows: a bitonic network within and among
// as many vectors as the row takes, each two numbers lanes apart that differ in
// some bits. What is past the end of a row is the largest number meanwhile.
func genSortRows() {
	// There are 64 lanes that count before the middle and 64 that do not after it.
	lanes := GLOBL("sortLanes", RODATA|NOPTR)
	for k := range 2 * mostSorted {
		word := uint32(0)
		if k < mostSorted {
			word = math.MaxUint32
		}
		DATA(4*k, U32(word))
	}
	backward, onward := vectorOf("sortBackward", 7, 6, 5, 4, 3, 2, 1, 0), vectorOf("sortOnward", 1, 2, 3, 4, 5, 6, 7, 0)

	routine("sortRows", "func(cols *uint32, ends, counts *int, n int) int",
		"sorts rows of up to 64 entries and returns the first that is longer or has two that are equal, or n.")
	cols, ends, counts, n := param("cols"), param("ends"), param("counts"), param("n")
	mask := GP64()
	LEAQ(lanes, mask)
	s := newSorter()
	VMOVDQU(backward, s.reverse)
	VMOVDQU(onward, s.onward)
	VPCMPEQD(s.ones, s.ones, s.ones)

	r := GP64()
	XORQ(r, r)
	Label("sortRow")
	CMPQ(r, n)
	JGE(LabelRef("sortEnd"))
	size, row, valid := GP64(), GP64(), GP64()
	MOVQ(Mem{Base: counts, Index: r, Scale: 8}, size)
	MOVQ(Mem{Base: ends, Index: r, Scale: 8}, row)
	SUBQ(size, row)
	LEAQ(Mem{Base: cols, Index: row, Scale: 4}, row)
	CMPQ(size, Imm(mostSorted))
	JG(LabelRef("sortEnd"))
	MOVQ(size, valid)
	NEGQ(valid)
	LEAQ(Mem{Base: mask, Index: valid, Scale: 4, Disp: 4 * mostSorted}, valid)
	CMPQ(size, Imm(1))
	JLE(LabelRef("sortNext"))
	for vectors := 1; vectors < mostSorted/sortLanes; vectors *= 2 {
		CMPQ(size, Imm(uint64(vectors*sortLanes)))
		JLE(LabelRef(fmt.Sprintf("sort%d", vectors)))
	}
	for vectors := mostSorted / sortLanes; vectors > 0; vectors /= 2 {
		Label(fmt.Sprintf("sort%d", vectors))
		s.row(vectors, row, valid)
	}

	Label("sortNext")
	INCQ(r)
	JMP(LabelRef("sortRow"))

	Label("sortEnd")
	VZEROUPPER()
	Store(r, ReturnIndex(0))
	RET()
}

// vectorOf returns a constant of eight numbers.
func vectorOf(name string, words ...uint32) Mem {
	at := GLOBL(name, RODATA|NOPTR)
	for k, word := range words {
		DATA(4*k, U32(word))
	}
	return at
}

// sorter has the constants of the sort: the order backward, the order in which
// each lane gets the next, and the largest number; and the registers that are
// free, of those that AVX2 has.
type sorter struct {
	reverse, onward, ones reg.VecPhysical
	free                  []reg.VecPhysical
}

func newSorter() *sorter {
	s := &sorter{free: []reg.VecPhysical{
		reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7,
		reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15,
	}}
	s.reverse, s.onward, s.ones = s.take(), s.take(), s.take()
	return s
}

func (s *sorter) take() reg.VecPhysical {
	r := s.free[0]
	s.free = s.free[1:]
	return r
}

func (s *sorter) give(r ...reg.VecPhysical) { s.free = append(s.free, r...) }

// row writes the sort of a row of vectors, its lanes from valid on.
func (s *sorter) row(vectors int, row, valid reg.Register) {
	x := make([]reg.VecPhysical, vectors)
	lanes := s.take()
	for v := range x {
		x[v] = s.take()
		VMOVDQU(Mem{Base: valid, Disp: 32 * v}, lanes)
		VPMASKMOVD(Mem{Base: row, Disp: 32 * v}, lanes, x[v])
		VPANDN(s.ones, lanes, lanes)
		VPOR(lanes, x[v], x[v])
	}
	s.give(lanes)
	s.ascending(x)

	for _, v := range x {
		s.stage(v, 1, 0xAA)
		s.stage(v, 3, 0xCC)
		s.stage(v, 1, 0xAA)
		s.stage(v, 7, 0xF0)
		s.stage(v, 2, 0xCC)
		s.stage(v, 1, 0xAA)
	}
	for size := 2; size <= vectors; size *= 2 {
		for lo := 0; lo < vectors; lo += size {
			s.merge(x[lo : lo+size])
		}
	}
	lanes = s.take()
	for v := range x {
		VMOVDQU(Mem{Base: valid, Disp: 32 * v}, lanes)
		VPMASKMOVD(x[v], lanes, Mem{Base: row, Disp: 32 * v})
	}
	s.give(lanes)
	s.ascending(x)
	JMP(LabelRef("sortEnd"))
	s.give(x...)
}

// ascending writes the jump to the next row if each lane is below the next one
// or past the end: if the number after it, for which the largest wraps around to
// 0, is at most the next.
func (s *sorter) ascending(x []reg.VecPhysical) {
	turned, after, next, all := s.take(), s.take(), s.take(), s.take()
	VMOVDQA(s.ones, all)
	VPERMD(x[0], s.onward, turned)
	for v := range x {
		if v+1 < len(x) {
			VPERMD(x[v+1], s.onward, after)
			VPBLENDD(Imm(0x80), after, turned, next)
		} else {
			VPBLENDD(Imm(0x80), s.ones, turned, next)
		}
		above := turned
		VPSUBD(s.ones, x[v], above)
		VPMINUD(next, above, next)
		VPCMPEQD(next, above, next)
		VPAND(next, all, all)
		turned, after = after, turned
	}
	found := GP32()
	VPMOVMSKB(all, found)
	CMPL(found, I32(-1))
	JEQ(LabelRef("sortNext"))
	s.give(turned, after, next, all)
}

// stage orders each two lanes whose numbers differ in the bits of apart, of
// which those of upper get the larger.
func (s *sorter) stage(x reg.VecPhysical, apart int, upper uint64) {
	y, low := s.take(), s.take()
	switch apart {
	case 1:
		VPSHUFD(Imm(0xB1), x, y)
	case 2:
		VPSHUFD(Imm(0x4E), x, y)
	case 3:
		VPSHUFD(Imm(0x1B), x, y)
	case 4:
		VPERMQ(Imm(0x4E), x, y)
	case 7:
		VPERMD(x, s.reverse, y)
	}
	VPMINUD(y, x, low)
	VPMAXUD(y, x, y)
	VPBLENDD(Imm(upper), y, low, x)
	s.give(y, low)
}

// merge makes a sorted sequence of two that are the halves of x: the first with
// the last, and so on, then each half from the largest distance on.
func (s *sorter) merge(x []reg.VecPhysical) {
	half := len(x) / 2
	for v := range half {
		last := x[len(x)-1-v]
		VPERMD(last, s.reverse, last)
		x[v], x[len(x)-1-v] = s.exchange(x[v], last)
	}
	for distance := half / 2; distance > 0; distance /= 2 {
		for v := range x {
			if v&distance == 0 {
				x[v], x[v+distance] = s.exchange(x[v], x[v+distance])
			}
		}
	}
	for _, v := range x {
		s.stage(v, 4, 0xF0)
		s.stage(v, 2, 0xCC)
		s.stage(v, 1, 0xAA)
	}
}

// exchange returns the smaller numbers and the larger ones.
func (s *sorter) exchange(a, b reg.VecPhysical) (low, high reg.VecPhysical) {
	low = s.take()
	VPMINUD(b, a, low)
	VPMAXUD(b, a, b)
	s.give(a)
	return low, b
}
