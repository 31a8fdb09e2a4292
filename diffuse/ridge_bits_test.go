package diffuse

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"math"
	"slices"
	"testing"
)

// TestSameBits: the hash of what the feature step gives, the same on every processor and
// with every version of the kernels. It is that of amd64; another one anywhere is a
// product that was fused with its sum.
func TestSameBits(t *testing.T) {
	const want = 0xc88143c2ef6c97bd
	ctx := context.Background()
	w, _ := pathOf(t, 600)
	labels := slices.Repeat([]int{-1}, 600)
	for i := range 45 {
		labels[13*i] = i % 4
	}
	y, err := HardSeeds(labels)
	if err != nil {
		t.Fatal(err)
	}
	dense, sparse, _ := drawFeatures(t, 600, 21, 7)
	standard, err := dense.Standardize(2)
	if err != nil {
		t.Fatal(err)
	}
	if dense, err = standard.Apply(dense, 2); err != nil {
		t.Fatal(err)
	}
	targets, _ := drawBlock(600, 3, 7)
	hash := fnv.New64a()
	forms := everyForm(t, dense, sparse.UnitRows(2), w, TenHops, 2)
	for _, name := range []string{"dense", "dense formed", "sparse", "sparse formed"} {
		form := forms[name]
		ridge, _, err := Ridge(ctx, form, targets, slices.Repeat([]float32{1.7}, 600), RidgeOptions{Lambda: 0.3})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range slices.Concat(ridge.Data, solveSeeds(t, form, y, 0.7, 2).Data) {
			binary.Write(hash, binary.LittleEndian, math.Float32bits(x))
		}
	}
	if got := hash.Sum64(); got != want {
		t.Errorf("hash %#x, expected %#x", got, uint64(want))
	}
}
