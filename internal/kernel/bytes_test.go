package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestDotsBytes: every version gives the sums of the definition, for bytes of all
// sizes, and writes nothing beside them.
func TestDotsBytes(t *testing.T) {
	for _, name := range Names() {
		use(t, name)
		for _, d := range []int{4, 8, 60, 512, 516, 1028} {
			for _, stride := range []int{32, 64} {
				rng := rand.New(rand.NewPCG(uint64(d), 9))
				draw := func() []byte {
					all := make([]byte, d*Rows)
					for k := range all {
						all[k] = []byte{0, 255, 128, byte(rng.UintN(256))}[rng.UintN(4)]
					}
					return all
				}
				a, b, dst := draw(), draw(), make([]int32, 31*stride+32)
				for k := range dst {
					dst[k] = -7
				}
				DotsBytes(dst, stride, a, b, d)
				for at, got := range dst {
					r, s, want := at/stride, at%stride, int32(-7)
					if s < Rows {
						want = 0
						for p := range d {
							place := p / StepBytes * Rows * StepBytes
							want += int32(a[place+r*StepBytes+p%StepBytes]) * (int32(b[place+s*StepBytes+p%StepBytes]) - 128)
						}
					}
					if got != want {
						t.Fatalf("%s, d=%d, stride %d (%d,%d): %d, expected %d", name, d, stride, r, s, got, want)
					}
				}
			}
		}
	}
}

// TestBelowWhole: the bits are those of the definition, ties included.
func TestBelowWhole(t *testing.T) {
	for _, name := range Names() {
		for _, width := range []int{0, 1, 3, 16} {
			t.Run(fmt.Sprintf("%s/%d", name, width), func(t *testing.T) {
				use(t, name)
				rng := rand.New(rand.NewPCG(3, uint64(width)))
				few := func(n int) []int32 {
					all := make([]int32, n)
					for k := range all {
						all[k] = int32(rng.IntN(33) - 16)
					}
					return all
				}
				p, low, tau := few(width*Rows), few(width*Rows), few(width*Rows)
				rowLow, rowTau := int32(rng.IntN(33)-16), int32(rng.IntN(33)-16)
				mask := make([]uint32, width+2)
				mask[0], mask[width+1] = 0xabcdef01, 0xabcdef01
				BelowWhole(mask[1:1+width], p, low, tau, rowLow, rowTau)
				if mask[0] != 0xabcdef01 || mask[width+1] != 0xabcdef01 {
					t.Fatal("wrote outside the mask")
				}
				for s := range p {
					want := rowLow+low[s]-2*p[s] <= max(rowTau, tau[s])
					if got := mask[1+s/32]>>(s%32)&1 == 1; got != want {
						t.Fatalf("column %d: %v, expected %v", s, got, want)
					}
				}
			})
		}
	}
}

func BenchmarkDotsBytes(b *testing.B) {
	for _, name := range Names() {
		for _, d := range []int{16, 784} {
			b.Run(fmt.Sprintf("%s/%d", name, d), func(b *testing.B) {
				use(b, name)
				x, y, dst := make([]byte, d*Rows), make([]byte, d*Rows), make([]int32, Rows*Rows)
				for b.Loop() {
					DotsBytes(dst, Rows, x, y, d)
				}
				b.ReportMetric(float64(d)*Rows*Rows*float64(b.N)/b.Elapsed().Seconds()/1e9, "G/s")
			})
		}
	}
}
