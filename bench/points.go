package bench

import (
	"math/rand/v2"

	"github.com/adp-sparse/adp-sparse/csr"
)

// pointsACluster is the mean number of [Points] around a centre.
const pointsACluster = 1000

// Points returns n points of d coordinates in clusters, and the cluster of
// each: centres are normal, points normal around theirs with half the
// deviation, which lets clusters touch where d is small. The same for the same
// seed.
func Points(n, d int, seed uint64) (*csr.Dense, []int32) {
	rng := rand.New(rand.NewPCG(seed, 0x706f_696e))
	centres := csr.NewDense((n+pointsACluster-1)/pointsACluster, d)
	for k := range centres.Data {
		centres.Data[k] = float32(rng.NormFloat64())
	}
	x, of := csr.NewDense(n, d), make([]int32, n)
	for i := range n {
		of[i] = int32(rng.IntN(centres.Rows))
		row := x.Row(i)
		for k, v := range centres.Row(int(of[i])) {
			row[k] = v + float32(rng.NormFloat64())/2
		}
	}
	return x, of
}
