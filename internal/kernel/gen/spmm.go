package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// spmm is one routine for the product of sparse rows with a dense block: a
// row of the result is held in count vectors of the given number of lanes. The
// last vector ends where the row ends: with masked set, its lanes past the end
// are left out; else it begins earlier and overlaps the one before, and some
// numbers are made twice. With packed set, rows of X are exactly these vectors
// and follow one another: places are made by a shift, and rows of whole cache
// lines are taken to begin with one.
type spmm struct {
	lanes, count   int
	masked, packed bool
}

// name is the name of the routine: AVX2's and AVX-512's differ in their lanes.
func (s spmm) name() string {
	name := fmt.Sprintf("mulRows%dx%d", s.lanes, s.count)
	if s.packed {
		name += "Packed"
	}
	return name
}

// spmms are the routines for 1, 2, 3, 4–7, 8, 9–16, 17–24 and 25–32 columns,
// with AVX-512 for up to 16, 32, 48 and 64, and packed ones for 4, 16 and 32.
var spmms = []spmm{
	{lanes: 1, count: 1},
	{lanes: 2, count: 1},
	{lanes: 2, count: 2},
	{lanes: 4, count: 2},
	{lanes: 8, count: 1},
	{lanes: 8, count: 2},
	{lanes: 8, count: 3},
	{lanes: 8, count: 4},
	{lanes: 16, count: 1, masked: true},
	{lanes: 16, count: 2, masked: true},
	{lanes: 16, count: 3, masked: true},
	{lanes: 16, count: 4, masked: true},
	{lanes: 4, count: 1, packed: true},
	{lanes: 8, count: 2, packed: true},
	{lanes: 8, count: 4, packed: true},
	{lanes: 16, count: 1, packed: true},
	{lanes: 16, count: 2, packed: true},
}

// vector returns a register for a vector of the routine.
func (s spmm) vector() reg.VecVirtual {
	switch {
	case s.lanes <= 4:
		return XMM()
	case s.lanes == 8:
		return YMM()
	}
	return ZMM()
}

// genSpmm writes one routine. The entries of a row are taken in their order,
// and products are rounded before they are added. Rows of X are asked for
// ahead of their use: ahead points into the columns, some entries further.
func genSpmm(s spmm) {
	const signature = "func(dst *float32, dstStep uintptr, x *float32, xStep, size uintptr, bounds *int64, rows int, cols, ahead *uint32, vals *float32)"
	routine(s.name(), signature,
		fmt.Sprintf("multiplies sparse rows with a dense block, %d vectors of %d numbers a row.", s.count, s.lanes))
	dst, dstStep, x, xStep, size := param("dst"), param("dstStep"), param("x"), param("xStep"), param("size")
	bounds, left, cols, ahead, vals := param("bounds"), param("rows"), param("cols"), param("ahead"), param("vals")
	label := func(what string) string { return what + s.name() }

	mask := s.mask(size)
	sums := make([]reg.VecVirtual, s.count)
	k, end := GP64(), GP64()
	MOVQ(Mem{Base: bounds}, k)
	TESTQ(left, left)
	JZ(LabelRef(label("end")))

	Label(label("row"))
	for v := range sums {
		sums[v] = s.vector()
		reset(s.lanes, sums[v])
	}
	ADDQ(Imm(8), bounds)
	MOVQ(Mem{Base: bounds}, end)
	CMPQ(k, end)
	JGE(LabelRef(label("store")))

	Label(label("entry"))
	s.prefetch(s.row(ahead, k, x, xStep), size)
	row, factor := s.row(cols, k, x, xStep), s.vector()
	s.broadcast(Mem{Base: vals, Index: k, Scale: 4}, factor)
	for v, sum := range sums {
		s.multiplyAdd(s.at(row, size, v), factor, sum, v == s.count-1, mask)
	}
	INCQ(k)
	CMPQ(k, end)
	JLT(LabelRef(label("entry")))

	Label(label("store"))
	for v, sum := range sums {
		s.store(sum, s.at(Mem{Base: dst}, size, v), v == s.count-1, mask)
	}
	ADDQ(dstStep, dst)
	again(left, label("row"))
	Label(label("end"))
	returnClean()
}

// mask returns the mask of the last vector of a row of the given bytes.
func (s spmm) mask(size reg.GPVirtual) reg.Register {
	if !s.masked {
		return nil
	}
	lanes, low, mask := GP64(), GP32(), K()
	LEAQ(Mem{Base: size, Disp: -64 * (s.count - 1)}, lanes)
	SHRQ(Imm(2), lanes)
	MOVL(I32(-1), low)
	SHLXL(lanes.As32(), low, low)
	NOTL(low)
	KMOVW(low, mask)
	return mask
}

// row returns the place of the row of X that entry k of cols names.
func (s spmm) row(cols, k, x, xStep reg.Register) Mem {
	j := GP64()
	MOVL(Mem{Base: cols, Index: k, Scale: 4}, j.As32())
	if s.packed {
		SHLQ(Imm(uint64(bits.TrailingZeros(uint(s.lanes*s.count*4)))), j)
		return Mem{Base: x, Index: j, Scale: 1}
	}
	IMULQ(xStep, j)
	ADDQ(x, j)
	return Mem{Base: j}
}

// at returns the place of vector v of a row of size bytes.
func (s spmm) at(row Mem, size reg.Register, v int) Mem {
	if v > 0 && v == s.count-1 && !s.masked && !s.packed {
		row.Index, row.Scale, row.Disp = size, 1, -s.lanes*4
		return row
	}
	row.Disp = v * s.lanes * 4
	return row
}

// prefetch asks for all cache lines of a row of size bytes: one every 64
// bytes, and that of the last byte, which may be one more.
func (s spmm) prefetch(row Mem, size reg.Register) {
	for d := 0; d < s.lanes*s.count*4; d += 64 {
		row.Disp = d
		PREFETCHT0(row)
	}
	if s.lanes*s.count > 4 && !s.packed {
		row.Index, row.Scale, row.Disp = size, 1, -1
		PREFETCHT0(row)
	}
}

func (s spmm) broadcast(from Mem, to reg.VecVirtual) {
	if s.lanes == 1 {
		VMOVSS(from, to)
	} else {
		VBROADCASTSS(from, to)
	}
}

func (s spmm) multiplyAdd(from Mem, factor, sum reg.VecVirtual, tail bool, mask reg.Register) {
	product := s.vector()
	switch {
	case s.lanes == 1:
		VMULSS(from, factor, product)
		VADDSS(product, sum, sum)
		return
	case s.lanes == 2: // half a vector: its other half stays 0
		VMOVSD(from, product)
		VMULPS(product, factor, product)
	case tail && s.masked:
		VMULPS_Z(from, factor, mask, product)
	default:
		VMULPS(from, factor, product)
	}
	VADDPS(product, sum, sum)
}

func (s spmm) store(sum reg.VecVirtual, to Mem, tail bool, mask reg.Register) {
	switch {
	case s.lanes == 1:
		VMOVSS(sum, to)
	case s.lanes == 2:
		VMOVSD(sum, to)
	case tail && s.masked:
		VMOVUPS(sum, mask, to)
	default:
		VMOVUPS(sum, to)
	}
}
