package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
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

// truths are the values of a page of truth that is written as runs. The decoder of the
// library makes other values of them: it takes the value of a run, one bit, for eight.
type truths struct {
	levels []byte // 1 where a value is not null; nil where all are
	count  int
	bits   []bool
	at     int
}

// readTruths reads a page; levels are the decoder's.
func (t *Table) readTruths(c *column, p *page, levels []byte) (*truths, error) {
	in, err := t.load(c, p)
	if err != nil {
		return nil, err
	}
	there, err := p.notNull(in.levels)
	if err != nil {
		return nil, err
	}
	runs, err := sized(in.body)
	if err != nil {
		return nil, errPast
	}
	bits, err := decodeBits(runs, there)
	return &truths{levels: levels, count: p.values, bits: bits}, err
}

// ReadValues is of parquet.ValueReader.
func (v *truths) ReadValues(out []parquet.Value) (n int, err error) {
	for ; n < len(out) && v.at < v.count; n++ {
		out[n] = parquet.NullValue()
		if v.levels == nil || v.levels[v.at] == 1 {
			if len(v.bits) == 0 {
				return n, io.ErrUnexpectedEOF
			}
			out[n], v.bits = parquet.BooleanValue(v.bits[0]), v.bits[1:]
		}
		v.at++
	}
	if v.at == v.count {
		err = io.EOF
	}
	return n, err
}
