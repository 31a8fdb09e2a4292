// Package exact has the elementary functions that results rest on, with the same bits on
// every processor: those of package math are assembly on some, and a Go compiler
// may fuse a product with a sum where it is not rounded by a conversion.
package exact

import "math"

// ln 2 in two parts: products of the high one with whole numbers up to 2^11 are exact.
const (
	ln2High = 0x1.62e42feep-1
	ln2Low  = 0x1.a39ef35793c76p-33
)

// Exp returns e^x to within an ulp: x = k·ln 2 + r with |r| ≤ ln 2/2, and the Taylor
// series of e^r, whose terms from r^14/14! on are below half an ulp.
func Exp(x float64) float64 {
	switch {
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	case x != x:
		return x
	}
	k := math.Floor(float64(x*(1/math.Ln2)) + 0.5)
	r := x - float64(k*ln2High) - float64(k*ln2Low)
	// e^r = 1 + r + r²·p, the last sum of a large and a small number. Sums by pairs (Estrin's scheme): each
	// waits for four others, in place of eleven.
	f, r2 := &inverseFactorials, float64(r*r)
	r4 := float64(r2 * r2)
	p := (f[2] + float64(r*f[3])) + float64(r2*(f[4]+float64(r*f[5])))
	p += float64(r4 * ((f[6] + float64(r*f[7])) + float64(r2*(f[8]+float64(r*f[9])))))
	p += float64(float64(r4*r4) * ((f[10] + float64(r*f[11])) + float64(r2*(f[12]+float64(r*f[13])))))
	power, scale := 1+(r+float64(r2*p)), int(k)
	if scale > -1022 && scale < 1024 { // the product is exact
		return power * math.Float64frombits(uint64(scale+1023)<<52)
	}
	return math.Ldexp(power, scale)
}

// inverseFactorials are 1/n!.
var inverseFactorials = func() (f [14]float64) {
	f[0] = 1
	product := 1.0
	for n := 1; n < len(f); n++ {
		product *= float64(n)
		f[n] = 1 / product
	}
	return f
}()

// Log returns the natural logarithm of x > 0 to within two ulps: x = 2^k·f with f between
// √½ and √2, and log f = 2·artanh(s), s = (f−1)/(f+1), by its series in s.
func Log(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case !(x > 0):
		return math.NaN()
	case x > math.MaxFloat64:
		return x
	}
	f, k := halves(x)
	if f < math.Sqrt2/2 {
		f, k = 2*f, k-1
	}
	// 2s + 2s·s²·p, and 2s = g − s·g. Sums by pairs, as in Exp.
	g := f - 1
	s := g / (f + 1)
	s2 := float64(s * s)
	s4 := float64(s2 * s2)
	s8 := float64(s4 * s4)
	p := (1./3 + float64(s2*(1./5))) + float64(s4*(1./7+float64(s2*(1./9))))
	p += float64(s8 * ((1./11 + float64(s2*(1./13))) + float64(s4*(1./15+float64(s2*(1./17))))))
	p += float64(float64(s8*s8) * ((1./19 + float64(s2*(1./21))) + float64(s4*(1./23))))
	tail := float64(s * (g - float64(2*float64(s2*p))))
	high := float64(float64(k) * ln2High)
	low := float64(float64(k) * ln2Low)
	return high + (g - (tail - low))
}

// halves returns math.Frexp of a finite x > 0, by its bits where it is not subnormal.
func halves(x float64) (f float64, k int) {
	bits := math.Float64bits(x)
	if bits>>52 == 0 {
		return math.Frexp(x)
	}
	return math.Float64frombits(bits&(1<<52-1) | 1022<<52), int(bits>>52) - 1022
}

// Pow returns x^y for x ≥ 0 and y ≥ 0, which may be infinite; 0^0 and 1^∞ are 1.
func Pow(x, y float64) float64 {
	if y == 0 || x == 1 {
		return 1
	}
	return Exp(float64(y * Log(x)))
}

// Logistic returns 1/(1 + e^−z).
func Logistic(z float64) float64 { return 1 / (1 + Exp(-z)) }

// Softplus returns ln(1 + e^z).
func Softplus(z float64) float64 { return max(z, 0) + Log(1+Exp(-math.Abs(z))) }
