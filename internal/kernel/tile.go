package kernel

// TileRows and TileCols are the shape of the part of a product of float64
// matrices that [Tile] makes.
const (
	TileRows = 4
	TileCols = 12
)

// Tile adds a part of a product of float64 matrices,
//
//	dst[r·stride+s] += Σ_p a[p·TileRows+r]·b[p·TileCols+s],
//
// for n rows p of two strips, in ascending order, 48 multiply-adds each. Versions
// differ in the last bits: assembly fuses them.
func Tile(dst []float64, stride int, a, b []float64, n int) {
	if n == 0 {
		return
	}
	_, _, _ = dst[(TileRows-1)*stride+TileCols-1], a[n*TileRows-1], b[n*TileCols-1]
	active.tile(dst, stride, a, b, n)
}

// tilePortable makes 2×3 sums at a time, which fit the registers.
func tilePortable(dst []float64, stride int, a, b []float64, n int) {
	for r := 0; r < TileRows; r += 2 {
		for s := 0; s < TileCols; s += 3 {
			var s00, s01, s02, s10, s11, s12 float64
			for p := range n {
				x := a[p*TileRows+r:][:2]
				y := b[p*TileCols+s:][:3]
				s00 += x[0] * y[0]
				s01 += x[0] * y[1]
				s02 += x[0] * y[2]
				s10 += x[1] * y[0]
				s11 += x[1] * y[1]
				s12 += x[1] * y[2]
			}
			upper, lower := dst[r*stride+s:][:3], dst[(r+1)*stride+s:][:3]
			upper[0] += s00
			upper[1] += s01
			upper[2] += s02
			lower[0] += s10
			lower[1] += s11
			lower[2] += s12
		}
	}
}
