package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// guard is a value that no loop may write or be changed by.
const guard = float32(12345)

// fenced returns n numbers drawn by fill with guards before and after; the
// offset makes vectors unaligned.
func fenced(n, offset int, fill func() float32) (whole, part []float32) {
	whole = make([]float32, n+2*offset)
	for i := range whole {
		whole[i] = guard
	}
	part = whole[offset : offset+n : offset+n]
	for i := range part {
		part[i] = fill()
	}
	return whole, part
}

func checkFence(t *testing.T, whole []float32, offset int) {
	t.Helper()
	for i := range offset {
		if whole[i] != guard || whole[len(whole)-1-i] != guard {
			t.Fatalf("wrote outside, %d places past an end", offset-i)
		}
	}
}

func TestDotsWithinErrorFactorOfFloat64(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			use(t, name)
			for _, d := range []int{1, 2, 7, 8, 16, 31, 64, 127, 128, 129, 255, 256, 300, 784} {
				rng := rand.New(rand.NewPCG(uint64(d), 1))
				for _, stride := range []int{32, 64} {
					checkDots(t, rng, d, stride)
				}
			}
		})
	}
}

// use selects a version during a test.
func use(t testing.TB, name string) {
	before := Select(name)
	t.Cleanup(func() { Select(before) })
}

func checkDots(t *testing.T, rng *rand.Rand, d, stride int) {
	t.Helper()
	wholeA, a := fenced(d*Rows, 3, func() float32 { return float32(rng.NormFloat64()) })
	wholeB, b := fenced(d*Rows, 5, func() float32 { return float32(rng.NormFloat64()) })
	wholeDst, dst := fenced(31*stride+32, 7, func() float32 { return guard })
	Dots(dst, stride, a, b, d)
	checkFence(t, wholeA, 3)
	checkFence(t, wholeB, 5)
	checkFence(t, wholeDst, 7)
	for r := range Rows {
		for s := range stride {
			if s >= Rows {
				if at := r*stride + s; at < len(dst) && dst[at] != guard {
					t.Fatalf("d=%d: wrote past row %d", d, r)
				}
				continue
			}
			sum, nx, ny := 0.0, 0.0, 0.0
			for p := range d {
				x, y := float64(a[p*Rows+r]), float64(b[p*Rows+s])
				sum, nx, ny = sum+x*y, nx+x*x, ny+y*y
			}
			if e := math.Abs(float64(dst[r*stride+s]) - sum); e > ErrorFactor(d)*math.Sqrt(nx*ny) {
				t.Fatalf("d=%d (%d,%d): error %g, bound %g", d, r, s, e, ErrorFactor(d)*math.Sqrt(nx*ny))
			}
		}
	}
}

// Small integers are exact in float32, so all versions agree to the bit.
func TestDotsExactOnIntegers(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	const d = 200
	small := func() float32 { return float32(rng.IntN(19) - 9) }
	_, a := fenced(d*Rows, 0, small)
	_, b := fenced(d*Rows, 0, small)
	for _, name := range Names() {
		use(t, name)
		dst := make([]float32, Rows*Rows)
		Dots(dst, Rows, a, b, d)
		for r := range Rows {
			for s := range Rows {
				sum := float32(0)
				for p := range d {
					sum += a[p*Rows+r] * b[p*Rows+s]
				}
				if dst[r*Rows+s] != sum {
					t.Fatalf("%s (%d,%d): %v, expected %v", name, r, s, dst[r*Rows+s], sum)
				}
			}
		}
	}
}

// Multiples of 1/8 make every step of the comparison exact, ties included.
func TestBelowAgreesWithDefinition(t *testing.T) {
	nan := float32(math.NaN())
	for _, name := range Names() {
		for _, width := range []int{0, 1, 2, 3, 16} {
			t.Run(fmt.Sprintf("%s/%d", name, width), func(t *testing.T) {
				use(t, name)
				rng := rand.New(rand.NewPCG(3, uint64(width)))
				eighths := func() float32 { return float32(rng.IntN(33)-16) / 8 }
				_, p := fenced(width*Rows, 3, eighths)
				_, low := fenced(width*Rows, 1, eighths)
				_, tau := fenced(width*Rows, 5, eighths)
				for s := 0; s < len(low); s += 7 {
					low[s] = nan
				}
				for s := 3; s < len(tau); s += 5 {
					tau[s] = float32(math.Inf(1 - 2*(s%2)))
				}
				rowLow, rowTau := eighths(), eighths()
				mask := slices.Repeat([]uint32{0xabcdef01}, width+2)
				Below(mask[1:1+width], p, low, tau, rowLow, rowTau, 2)
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

func TestDifferencesWithinErrorFactorOfFloat64(t *testing.T) {
	for _, d := range []int{1, 2, 7, 31, 127, 128, 129, 300} {
		rng := rand.New(rand.NewPCG(uint64(d), 4))
		wholeA, a := fenced(d*Rows, 3, func() float32 { return float32(rng.NormFloat64()) })
		wholeB, b := fenced(d*Rows, 5, func() float32 { return float32(rng.NormFloat64()) })
		var first []float32
		for _, name := range Names() {
			use(t, name)
			const stride = 64
			wholeDst, dst := fenced(31*stride+32, 7, func() float32 { return guard })
			Differences(dst, stride, a, b, d)
			checkFence(t, wholeA, 3)
			checkFence(t, wholeB, 5)
			checkFence(t, wholeDst, 7)
			for at, got := range dst {
				r, s := at/stride, at%stride
				if s >= Rows {
					if got != guard {
						t.Fatalf("%s, d=%d: wrote past row %d", name, d, r)
					}
					continue
				}
				sum := 0.0
				for p := range d {
					sum += math.Abs(float64(a[p*Rows+r]) - float64(b[p*Rows+s]))
				}
				if e := math.Abs(float64(got) - sum); e > ErrorFactor(d)*sum {
					t.Fatalf("%s, d=%d (%d,%d): error %g, bound %g", name, d, r, s, e, ErrorFactor(d)*sum)
				}
			}
			if first == nil {
				first = dst
			} else if !slices.Equal(dst, first) {
				t.Errorf("d=%d: other bits by %s than by %s", d, name, Names()[0])
			}
		}
	}
}

func TestSelect(t *testing.T) {
	use(t, Name())
	for _, name := range Names() {
		Select(name)
		if Name() != name {
			t.Errorf("Select(%q) left %q in use", name, Name())
		}
	}
	for _, name := range []string{"", "no such kernel"} {
		if Select(name); Name() != Names()[0] {
			t.Errorf("Select(%q) gave %q, expected the best, %q", name, Name(), Names()[0])
		}
	}
	if !slices.Contains(Names(), "portable") {
		t.Errorf("no portable version among %q", Names())
	}
}

func BenchmarkDots(b *testing.B)        { benchmarkPanels(b, Dots) }
func BenchmarkDifferences(b *testing.B) { benchmarkPanels(b, Differences) }

func benchmarkPanels(b *testing.B, loop func(dst []float32, stride int, x, y []float32, d int)) {
	for _, name := range Names() {
		for _, d := range []int{16, 784} {
			b.Run(fmt.Sprintf("%s/%d", name, d), func(b *testing.B) {
				use(b, name)
				x, y, dst := make([]float32, d*Rows), make([]float32, d*Rows), make([]float32, Rows*Rows)
				for b.Loop() {
					loop(dst, Rows, x, y, d)
				}
				b.ReportMetric(float64(d)*Rows*Rows*float64(b.N)/b.Elapsed().Seconds()/1e9, "G/s")
			})
		}
	}
}
