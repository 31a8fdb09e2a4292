package rows

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// failing fails from the given number of calls on.
type failing struct {
	bytes.Buffer
	calls int
}

var errFull = errors.New("full")

func (f *failing) Write(b []byte) (int, error) {
	if f.calls--; f.calls < 0 {
		return 0, errFull
	}
	return f.Buffer.Write(b)
}

// TestWrite: the same bytes with any number of threads, up to the first block that fails.
func TestWrite(t *testing.T) {
	const n = 9*BlockSize + 5
	errName := errors.New("name")
	for _, threads := range []int{1, 2, 7} {
		for name, c := range map[string]struct {
			calls, fails int
			want         error
			blocks       int
		}{
			"all":       {100, n, nil, 10},
			"name":      {100, 4*BlockSize + 3, errName, 4},
			"full":      {3, n, errFull, 3},
			"both":      {5, 2 * BlockSize, errName, 2},
			"full soon": {1, 6 * BlockSize, errFull, 1},
		} {
			var want strings.Builder
			for i := range min(c.blocks*BlockSize, n) {
				fmt.Fprintln(&want, i)
			}
			out := &failing{calls: c.calls}
			blocks := make([]bytes.Buffer, Workers(threads))
			err := Write(out, n, threads, func(worker, lo, hi int) ([]byte, error) {
				block := &blocks[worker]
				block.Reset()
				for i := lo; i < hi; i++ {
					if i >= c.fails {
						return nil, fmt.Errorf("row %d: %w", i, errName)
					}
					fmt.Fprintln(block, i)
				}
				return block.Bytes(), nil
			})
			if !errors.Is(err, c.want) || out.String() != want.String() {
				t.Errorf("%s, %d threads: error %v, expected %v; %d bytes, expected %d", name, threads, err, c.want, out.Len(), want.Len())
			}
			if c.want == errName && !strings.HasPrefix(err.Error(), fmt.Sprintf("row %d:", c.fails)) {
				t.Errorf("%s, %d threads: %v, expected the first row that fails", name, threads, err)
			}
		}
	}
}

// TestWritePanic: a panic reaches the caller, and no worker waits for its block.
func TestWritePanic(t *testing.T) {
	for _, threads := range []int{1, 3} {
		func() {
			defer func() {
				if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "row 1024") {
					t.Errorf("%d threads: panic %v", threads, p)
				}
			}()
			var out bytes.Buffer
			_ = Write(&out, 9*BlockSize, threads, func(_, lo, _ int) ([]byte, error) {
				if lo == 2*BlockSize {
					panic("row 1024")
				}
				return []byte("x"), nil
			})
		}()
	}
}
