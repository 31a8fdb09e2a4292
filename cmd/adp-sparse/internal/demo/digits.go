package demo

import (
	_ "embed"
	"fmt"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// digitBits are 1,593 handwritten digits, 33 bytes each: the digit, then the 16 rows of its image
// from the top, two bytes a row, the leftmost pixel in the highest bit. DIGITS.md names the source
// and the licence.
//
//go:embed digits.bits
var digitBits []byte

// The shape of the images.
const (
	side    = 16 // pixels, each way
	classes = 10
	record  = 1 + side*side/8 // bytes
)

// digits are images with the digit that each shows.
type digits struct {
	pixels *csr.Dense // a row an image, 0 or 1
	truth  []int32
}

// readDigits unpacks the images.
func readDigits() *digits {
	n := len(digitBits) / record
	d := &digits{pixels: csr.NewDense(n, side*side), truth: make([]int32, n)}
	for i := range n {
		one := digitBits[i*record : (i+1)*record]
		d.truth[i] = int32(one[0])
		row := d.pixels.Row(i)
		for p := range row {
			row[p] = float32(one[1+p/8] >> (7 - p%8) & 1)
		}
	}
	return d
}

// known returns the first images of each digit in an order of the images, and their labels.
func (d *digits) known(perDigit int, order []int) ([]diffuse.Seed, error) {
	count := make([]int, classes)
	var seeds []diffuse.Seed
	for _, i := range order {
		if class := d.truth[i]; count[class] < perDigit {
			count[class]++
			seeds = append(seeds, diffuse.Seed{Node: uint32(i), Class: uint32(class), Weight: 1})
		}
	}
	for class, n := range count {
		if n < perDigit {
			return nil, fmt.Errorf("%d images of the digit %d, expected at least %d", n, class, perDigit)
		}
	}
	return seeds, nil
}

// nearest returns for each image the known one with the fewest other pixels.
func (d *digits) nearest(seeds []diffuse.Seed) []int {
	near := make([]int, len(d.truth))
	for i := range near {
		least := side*side + 1
		for _, s := range seeds {
			if differ := d.differ(i, int(s.Node)); differ < least {
				near[i], least = int(s.Node), differ
			}
		}
	}
	return near
}

// differ counts the pixels that differ between two images.
func (d *digits) differ(i, j int) (n int) {
	a, b := d.pixels.Row(i), d.pixels.Row(j)
	for p := range a {
		if a[p] != b[p] {
			n++
		}
	}
	return n
}
