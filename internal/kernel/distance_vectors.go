//go:build (amd64 || arm64) && !purego

package kernel

// distance is [SquaredDistance] of whole steps, at least one.
func (k *implementation) distance(x, y []float32) float32 {
	if k.vectors {
		return distanceVectors(&x[0], &y[0], len(x)/distanceStep)
	}
	return distancePortable(x, y)
}

// sumSquares sets the lanes of [SumSquares] of whole steps, at least one.
func (k *implementation) sumSquares(s *[exactStep]float64, x, y []float32) {
	if k.vectors {
		sumSquaresVectors(&s[0], &x[0], &y[0], len(x)/exactStep)
		return
	}
	sumSquaresPortable(s, x, y)
}

// sumProducts sets the lanes of [SumProducts] of whole steps, at least one.
func (k *implementation) sumProducts(s *[exactStep]float64, x, y []float32) {
	if k.vectors {
		sumProductsVectors(&s[0], &x[0], &y[0], len(x)/exactStep)
		return
	}
	sumProductsPortable(s, x, y)
}

// sumDifferences sets the lanes of [SumDifferences] of whole steps, at least one.
func (k *implementation) sumDifferences(s *[exactStep]float64, x, y []float32) {
	if k.vectors {
		sumDifferencesVectors(&s[0], &x[0], &y[0], len(x)/exactStep)
		return
	}
	sumDifferencesPortable(s, x, y)
}
