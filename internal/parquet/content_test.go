package parquet

import (
	"encoding/binary"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/delta"
)

// TestRuns: runs that say as many values as there are, up to their padding, and none
// that say more, in one run or in many.
func TestRuns(t *testing.T) {
	same := func(length uint64, value byte) []byte { return append(binary.AppendUvarint(nil, length<<1), value) }
	packed := func(groups uint64, bytes ...byte) []byte {
		return append(binary.AppendUvarint(nil, groups<<1|1), bytes...)
	}
	join := func(parts ...[]byte) (all []byte) {
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	for name, test := range map[string]struct {
		runs  []byte
		width uint64
		count int
		ok    bool
	}{
		"none":             {nil, 1, 0, true},
		"one run":          {same(1000, 1), 1, 1000, true},
		"both kinds":       {join(same(3, 1), packed(2, 7, 9), same(4, 0)), 1, 23, true},
		"padding":          {packed(1, 3), 1, 2, true},
		"a wide value":     {append(same(10, 1), 2, 3), 17, 10, true},
		"no bits":          {binary.AppendUvarint(nil, 20), 0, 10, true},
		"a long run":       {same(1<<40, 1), 1, 10, false},
		"many groups":      {packed(1<<62, 1), 1, 10, false},
		"groups of eight":  {packed(1000, make([]byte, 1000)...), 1, 1000, false},
		"many runs":        {join(same(900, 1), same(900, 0), same(900, 1)), 1, 1000, false},
		"without a length": {[]byte{0x80}, 1, 10, false},
	} {
		if err := checkRuns(test.runs, test.width, test.count); (err == nil) != test.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// equal is a list of count numbers with nothing between them, in blocks of one part.
func equal(count int) []byte {
	list := append(binary.AppendUvarint([]byte{0x80, 0x80, 4, 1}, uint64(count)), 0)
	for left := count - 1; left > 0; left -= maxBlock {
		list = append(list, 0, 0)
	}
	return list
}

// TestDeltas: a list ends where the decoder ends it, and has its values.
func TestDeltas(t *testing.T) {
	numbers := make([]int32, 300)
	for k := range numbers {
		numbers[k] = int32(k * k % 71)
	}
	for _, n := range []int{0, 1, 2, 32, 33, 128, 129, 130, 300} {
		list, err := new(delta.BinaryPackedEncoding).EncodeInt32(nil, numbers[:n])
		if err != nil {
			t.Fatal(err)
		}
		if rest, err := checkDeltas(append(list, "rest"...), n, 32); err != nil || string(rest) != "rest" {
			t.Errorf("%d numbers: %q, %v", n, rest, err)
		}
	}
	for want, content := range map[string][]byte{
		errHeader.Error():                             {1, 2},
		errBlocks.Error():                             {0x80, 1, 0, 8, 0, 0, 0},
		errDeltas.Error():                             {0x80, 1, 1, 8, 0},
		"differences of 9 values in a page of 8":      equal(9),
		"differences of 33 bits, expected at most 32": {0x80, 1, 1, 8, 0, 0, 33},
		"differences of 7 values in a page of 8":      equal(7),
	} {
		if _, err := checkDeltas(content, 8, 32); err == nil || err.Error() != want {
			t.Errorf("% x: %v, expected %s", content, err, want)
		}
	}
}
