package gen

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr/npz"
)

// TestWords: the frequencies of words fall as 1/rank, the share Mu of them is of the class, and the
// bytes do not depend on the number of threads.
func TestWords(t *testing.T) {
	opt := Options{Kind: CSBM, Nodes: 20_000, Classes: 4, Dims: 1000, Words: 16, Seed: 3}
	var files [2]bytes.Buffer
	for k, threads := range []int{1, 3} {
		if err := graph(t, opt).WriteWords(t.Context(), &files[k], threads); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Error("other words with three threads")
	}
	x, err := npz.Read(bytes.NewReader(files[0].Bytes()), "words.npz", int64(files[0].Len()))
	if err != nil {
		t.Fatal(err)
	}
	count, total := make([]float64, opt.Dims), 0.0
	for i := range opt.Nodes {
		cols, vals := x.Row(i)
		for k, j := range cols {
			count[j] += float64(vals[k])
			total += float64(vals[k])
		}
	}
	if total != float64(opt.Nodes*opt.Words) {
		t.Errorf("%v words, expected %d", total, opt.Nodes*opt.Words)
	}
	for low := 1; 2*low <= opt.Dims; low *= 2 { // 10 octaves
		share := 0.0
		for rank := low; rank < 2*low; rank++ {
			share += count[rank-1] / total
		}
		if math.Abs(share-0.1) > 0.005 {
			t.Errorf("words of rank %d on are %v of all, expected 0.1", low, share)
		}
	}
	opt.Mu = 1
	x, err = graph(t, opt).Words(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	sums := make([][]float64, opt.Classes)
	for i := range opt.Nodes {
		c := i % opt.Classes
		if sums[c] == nil {
			sums[c] = make([]float64, opt.Dims)
		}
		cols, vals := x.Row(i)
		for k, j := range cols {
			sums[c][j] += float64(vals[k])
		}
	}
	commonest := make(map[int]bool)
	for c, sum := range sums {
		best := 0
		for j, v := range sum {
			if v > sum[best] {
				best = j
			}
		}
		commonest[best] = true
		if share := sum[best] / float64(opt.Nodes*opt.Words/opt.Classes); share < 0.09 {
			t.Errorf("the commonest word of class %d is %v of its words, expected 0.1", c, share)
		}
	}
	if len(commonest) != opt.Classes {
		t.Errorf("%d commonest words of %d classes", len(commonest), opt.Classes)
	}
	if err := graph(t, Options{Kind: CSBM, Nodes: 10, Degree: 2, Dims: 5}).WriteWords(t.Context(), &files[0], 1); !errors.Is(err, ErrOptions) {
		t.Errorf("words of none: %v", err)
	}
}
