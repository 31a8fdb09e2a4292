package vecs

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// TestBlocks: in blocks of any size, all formats give what Read gives.
func TestBlocks(t *testing.T) {
	const n, d = 23, 3
	x := csr.NewDense(n, d)
	var text strings.Builder
	for i := range n {
		for p := range d {
			x.Set(i, p, float32(i*d+p)/4)
		}
		fmt.Fprintf(&text, "%v,p%d,%v,%v\n", x.At(i, 0), i, x.At(i, 1), x.At(i, 2))
	}
	var npy, fvecs bytes.Buffer
	for name, w := range map[string]io.Writer{"x.npy": &npy, "x.fvecs": &fvecs} {
		if err := WriteDists(w, name, x.Data, n, d); err != nil {
			t.Fatal(err)
		}
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(npy.Bytes())
	z.Close()
	fortran := bytes.Replace(npy.Bytes(), []byte("False"), []byte("True "), 1)
	for j := range d {
		for i := range n {
			at := len(fortran) + 4*(j*n+i-n*d)
			binary.LittleEndian.PutUint32(fortran[at:at+4], math.Float32bits(x.At(i, j)))
		}
	}
	csv := []byte("a,name,b,c\n" + text.String())
	for _, test := range []struct {
		name    string
		content []byte
		opt     Options
	}{
		{"x.npy", npy.Bytes(), Options{}},
		{"x.npy.gz", packed.Bytes(), Options{}},
		{"fortran.npy", fortran, Options{}},
		{"x.fvecs", fvecs.Bytes(), Options{}},
		{"x.csv", csv, Options{IDColumn: "name"}},
		{"x", []byte(text.String()), Options{IDColumn: "2", Format: "csv", Header: HeaderNo}},
	} {
		for _, rows := range []int{1, 5, n - 1, n, 100} {
			var data []float32
			next := 0
			err := Blocks(bytes.NewReader(test.content), test.name, int64(len(test.content)), test.opt, rows, func(first int, f *Features) error {
				if first != next || f.Rows() > rows {
					t.Errorf("%s: block of %d points from %d, expected at most %d from %d", test.name, f.Rows(), first, rows, next)
				}
				if test.opt.IDColumn != "" && f.IDs.Name(first) != fmt.Sprint("p", first) {
					t.Errorf("%s: point %d is called %s", test.name, first, f.IDs.Name(first))
				}
				data = append(data, f.Dense.Data...)
				next += f.Rows()
				return nil
			})
			if err != nil || !slices.Equal(data, x.Data) {
				t.Errorf("%s in blocks of %d: %d values, %v", test.name, rows, len(data), err)
			}
		}
		stop := errors.New("stop")
		if err := Blocks(bytes.NewReader(test.content), test.name, -1, test.opt, 4, func(int, *Features) error { return stop }); err != stop {
			t.Errorf("%s: %v, expected the error of yield", test.name, err)
		}
	}
	bad := slices.Clone(npy.Bytes())
	copy(bad[len(bad)-4:], []byte{0, 0, 0xc0, 0x7f}) // a NaN
	err := Blocks(bytes.NewReader(bad), "nan.npy", int64(len(bad)), Options{}, 4, func(int, *Features) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "row 22, column 2") {
		t.Errorf("a NaN in the last place: %v", err)
	}
	for name, content := range map[string]string{
		"cut.npy": npy.String()[:npy.Len()-1], "long.npy": npy.String() + "x", "empty.csv": "", "header.csv": "a,b\n",
		"nan.csv": "1,2\n3,nan\n", "ragged.csv": "1,2\n3\n", "x.unknown": "1",
		"again.csv": "name,x\na,1\nb,2\na,3\n",
	} {
		opt := Options{}
		if name == "again.csv" {
			opt.IDColumn = "name"
		}
		err := Blocks(strings.NewReader(content), name, -1, opt, 1, func(int, *Features) error { return nil })
		if !errors.Is(err, ErrSyntax) && !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBlocksOfNothing: blocks without a point would never end.
func TestBlocksOfNothing(t *testing.T) {
	for _, name := range []string{"x.csv", "x.npy", "x.fvecs"} {
		for _, rows := range []int{0, -1} {
			err := Blocks(strings.NewReader("1,2\n"), name, 4, Options{}, rows, func(int, *Features) error { return io.EOF })
			if err == nil || !strings.Contains(err.Error(), "expected at least 1") {
				t.Errorf("%s in blocks of %d: %v", name, rows, err)
			}
		}
	}
}
