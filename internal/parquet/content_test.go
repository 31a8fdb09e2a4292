package parquet

import (
	"encoding/binary"
	"testing"
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

// TestDeltas: the number stands third.
func TestDeltas(t *testing.T) {
	if n, err := countDeltas([]byte{0x80, 1, 4, 200, 1, 9}); n != 200 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	for _, content := range [][]byte{nil, {1, 2}, binary.AppendUvarint([]byte{1, 2}, maxValues+1), binary.AppendUvarint(nil, 1<<60)} {
		if n, err := countDeltas(content); err == nil {
			t.Errorf("% x: %d", content, n)
		}
	}
}
