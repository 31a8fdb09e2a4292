package edgelist

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strconv"
	"testing"
)

// BenchmarkLoad reads 2·10^6 lines of two integers on one thread: the parse
// alone, and the rows of the matrix with it. Bytes are those of the text.
func BenchmarkLoad(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 35))
	var text []byte
	for range 2_000_000 {
		text = append(strconv.AppendInt(text, rng.Int64N(1e6), 10), '\t')
		text = append(strconv.AppendInt(text, rng.Int64N(1e6), 10), '\n')
	}
	opt := Options{Threads: 1}
	b.Run("parse", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			list, err := Parse(bytes.NewReader(text), "f", opt)
			if err != nil {
				b.Fatal(err)
			}
			list.Close()
		}
	})
	b.Run("rows", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			list, err := Parse(bytes.NewReader(text), "f", opt)
			if err != nil {
				b.Fatal(err)
			}
			builder, err := list.Builder(context.Background())
			if err != nil {
				b.Fatal(err)
			}
			stats, err := builder.Rows(context.Background(), func([]int, []uint32, []float32) error { return nil })
			if err := list.Built(stats, err); err != nil {
				b.Fatal(err)
			}
		}
	})
	// What a loop over the bytes takes, on the same machine at the same time.
	b.Run("bytes", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		sum := uint64(0)
		for b.Loop() {
			v := uint64(0)
			for _, c := range text {
				if c >= '0' {
					v = 10*v + uint64(c-'0')
				} else {
					sum, v = sum+v, 0
				}
			}
		}
		if sum == 0 {
			b.Fatal("nothing was read")
		}
	})
}
