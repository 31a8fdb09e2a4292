// Command gen writes the amd64 assembly of package kernel with avo.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The layout of a panel: see package kernel.
const (
	rows      = 32       // vectors in a panel
	stepBytes = rows * 4 // from one coordinate to the next
)

func main() {
	ConstraintExpr("amd64,!purego")
	genDots(avx512)
	genDots(avx2)
	genDifferences(avx512)
	genDifferences(avx2)
	genBelow(avx512)
	genBelow(avx2)
	genGather(avx512)
	genGather(avx2)
	genSpread(avx512)
	genSpread(avx2)
	for _, s := range spmms {
		genSpmm(s)
	}
	genMinusDot()
	genDescend()
	genAdvance()
	genAtLeast(avx512)
	genAtLeast(avx2)
	genAddRows()
	genDistance()
	genExacts()
	genTile64()
	genRotate()
	genSortRows()
	genDotsBytes()
	genBelowWhole()
	genAsk()
	Generate()
}

// routine begins a routine that keeps none of its pointers.
func routine(name, signature, doc string) {
	TEXT(name, NOSPLIT, signature)
	Doc(name + " " + doc)
	Pragma("noescape")
}

// param loads a parameter of 64 bits.
func param(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// again ends a loop: it jumps to where it began until nothing is left.
func again(left reg.Register, label string) {
	DECQ(left)
	JNZ(LabelRef(label))
}

// returnClean ends a routine that used vectors.
func returnClean() {
	VZEROUPPER()
	RET()
}
