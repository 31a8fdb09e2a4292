package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
)

var errPast = errors.New("runs that go past the end of their page")

// checkTruths checks values of truth that are written as runs after their size.
func checkTruths(content []byte, count int) error {
	runs, err := sized(content)
	if err != nil {
		return errPast
	}
	return checkRuns(runs, 1, count)
}

// decodeBits returns the first count values of runs of one bit, which have been checked.
func decodeBits(runs []byte, count int) ([]bool, error) {
	out := make([]bool, 0, count)
	for len(out) < count {
		head, n := binary.Uvarint(runs)
		if n <= 0 || n == len(runs) {
			return nil, fmt.Errorf("runs of %d values in a page of %d", len(out), count)
		}
		runs = runs[n:]
		if head&1 == 0 { // one value again and again
			for range min(head>>1, uint64(count-len(out))) {
				out = append(out, runs[0]&1 == 1)
			}
			runs = runs[1:]
			continue
		}
		packed := runs[:min(head>>1, uint64(len(runs)))]
		for k := range min(8*len(packed), count-len(out)) {
			out = append(out, packed[k/8]>>(k%8)&1 == 1)
		}
		runs = runs[len(packed):]
	}
	return out, nil
}
