package exact

import (
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// ulps returns the distance of two numbers in units of the last place of want.
func ulps(got, want float64) float64 {
	if got == want || math.IsNaN(got) && math.IsNaN(want) {
		return 0
	}
	return math.Abs(got-want) / (math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want))
}

// TestExpLog: against package math, over all magnitudes and near the places where
// digits are lost.
func TestExpLog(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 51))
	worst := [3]float64{}
	for k := range 300_000 {
		x := []float64{1400*rng.Float64() - 700, rng.NormFloat64(), 1e-6 * rng.NormFloat64(), -20 * rng.Float64()}[k%4]
		worst[0] = max(worst[0], ulps(Exp(x), math.Exp(x)))
		y := []float64{math.Exp(x), 1 + 1e-3*rng.NormFloat64(), 1 + 1e-9*rng.NormFloat64(), rng.Float64()}[k%4]
		worst[1] = max(worst[1], ulps(Log(y), math.Log(y)))
		if p := 3 * rng.Float64(); y < 1 && y > 1e-3 {
			worst[2] = max(worst[2], math.Abs(Pow(y, p)/math.Pow(y, p)-1))
		}
	}
	if worst[0] > 2 || worst[1] > 3 || worst[2] > 1e-14 {
		t.Errorf("ulps from math: exp %v, log %v; pow %v", worst[0], worst[1], worst[2])
	}
	inf := math.Inf(1)
	for _, c := range [][3]float64{
		{0, Exp(0), 1},
		{1, Exp(inf), inf},
		{2, Exp(-inf), 0},
		{3, Exp(-746), 0},
		{4, Exp(709.782712893385), inf},
		{5, Exp(math.NaN()), math.NaN()},
		{6, Log(1), 0},
		{7, Log(0), -inf},
		{8, Log(inf), inf},
		{9, Log(-1), math.NaN()},
		{10, Log(math.NaN()), math.NaN()},
		{11, Exp(-745), 0x1p-1074},
		{12, Log(0x1p-1074), -744.4400719213812},
		{13, Log(math.MaxFloat64), 709.782712893384},
		{14, Pow(0, 0), 1},
		{15, Pow(0, 2), 0},
		{16, Pow(1, 8), 1},
		{17, Pow(0.5, 0), 1},
		{18, Pow(1, inf), 1},
		{19, Pow(0.9, inf), 0},
		{20, Pow(0, inf), 0},
	} {
		if ulps(c[1], c[2]) > 0 {
			t.Errorf("case %v: %v, expected %v", c[0], c[1], c[2])
		}
	}
}

// TestLn2: the parts are those of ln 2, and the high one has 11 bits to spare.
func TestLn2(t *testing.T) {
	sum := new(big.Float).SetPrec(200).Add(big.NewFloat(ln2High), big.NewFloat(ln2Low))
	want, _ := new(big.Float).SetPrec(200).SetString("0.693147180559945309417232121458176568075500134360255254120680009")
	if gap, _ := sum.Sub(sum, want).Float64(); math.Abs(gap) > 0x1p-85 {
		t.Errorf("the parts of ln 2 are off by %v", gap)
	}
	if bits := math.Float64bits(ln2High); bits&(1<<11-1) != 0 {
		t.Errorf("ln2High = %x", bits)
	}
}

// TestBits: the same numbers on every processor.
func TestBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 51))
	hash := fnv.New64a()
	for range 20_000 {
		x := float64(40*rng.Float64()) - 20
		for _, v := range []float64{Exp(x), Log(Exp(x)), Pow(rng.Float64(), 3)} {
			var b [8]byte
			for k := range b {
				b[k] = byte(math.Float64bits(v) >> (8 * k))
			}
			hash.Write(b[:])
		}
	}
	if got, want := hash.Sum64(), uint64(0x8e5d5dd59ff15828); got != want {
		t.Errorf("hash %#x, expected %#x", got, want)
	}
}

// TestLogistic: the values of package math, also where e^z is no number, and the slope of one function is the other.
func TestLogistic(t *testing.T) {
	for _, z := range []float64{-1e4, -745, -40, -2.5, -1e-9, 0, 0.3, 7, 36, 800, 1e4} {
		if got, want := Logistic(z), 1/(1+math.Exp(-z)); !(math.Abs(got-want) <= 1e-15*want) {
			t.Errorf("Logistic(%v) = %v, expected %v", z, got, want)
		}
		want := math.Log1p(math.Exp(min(z, -z)))
		if got := Softplus(z) - max(z, 0); !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(z))) {
			t.Errorf("Softplus(%v) = %v, expected %v", z, Softplus(z), want+max(z, 0))
		}
	}
	const h = 1e-4
	for z := -6.0; z < 6; z += 0.7 {
		if slope := (Softplus(z+h) - Softplus(z-h)) / (2 * h); math.Abs(slope-Logistic(z)) > 1e-8 {
			t.Errorf("the slope of Softplus is %v at %v, Logistic %v", slope, z, Logistic(z))
		}
	}
}
