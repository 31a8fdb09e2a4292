//go:build (!amd64 && !arm64) || purego

package kernel

func (k *implementation) distance(x, y []float32) float32 { return distancePortable(x, y) }

func (k *implementation) sumSquares(s *[exactStep]float64, x, y []float32) {
	sumSquaresPortable(s, x, y)
}

func (k *implementation) sumProducts(s *[exactStep]float64, x, y []float32) {
	sumProductsPortable(s, x, y)
}

func (k *implementation) sumDifferences(s *[exactStep]float64, x, y []float32) {
	sumDifferencesPortable(s, x, y)
}
