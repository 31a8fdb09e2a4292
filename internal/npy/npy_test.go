package npy

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// TestHalf checks values of the standard (IEEE 754-2019, binary16): the
// smallest and largest subnormal and normal numbers and what lies between.
func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float64{
		0x0000: 0, 0x0001: math.Ldexp(1, -24), 0x03ff: math.Ldexp(1023, -24), 0x0400: math.Ldexp(1, -14),
		0x3c00: 1, 0x3c01: 1 + 1.0/1024, 0xc000: -2, 0x7bff: 65504, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1),
	} {
		if got := half(bits); got != want {
			t.Errorf("half(%#04x) = %v, expected %v", bits, got, want)
		}
	}
	if got := half(0x7e00); !math.IsNaN(got) {
		t.Errorf("half(0x7e00) = %v, expected NaN", got)
	}
}

// TestHeader reads what AppendHeader writes, whose elements start at a
// multiple of 64 bytes.
func TestHeader(t *testing.T) {
	for _, shape := range [][]int64{{}, {0}, {7}, {3, 4}, {123456789, 123456789, 123456789}} {
		b := AppendHeader(nil, "<f4", shape...)
		h, length, err := readHeader(bytes.NewReader(b))
		if err != nil || length != int64(len(b)) || length%64 != 0 || h.descr != "<f4" || h.fortran || shapeText(h.shape) != shapeText(shape) {
			t.Errorf("shape %v: read %+v of %d bytes, %v", shape, h, length, err)
		}
	}
}

// TestHeaderSpellings reads headers that other programs write.
func TestHeaderSpellings(t *testing.T) {
	for _, dict := range []string{
		"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }",
		`{"shape":(3,4),"descr":"<f4","fortran_order":False}`,
		"{'descr': '<f4', 'fortran_order': False, 'shape': (3L, 4L)}   \n",
	} {
		h, err := parseHeader(dict)
		if err != nil || h.descr != "<f4" || h.fortran || shapeText(h.shape) != "(3, 4)" {
			t.Errorf("%s: %+v, %v", dict, h, err)
		}
	}
}

// TestText: a text is what stands before the NULs at its end, in UTF-8.
func TestText(t *testing.T) {
	for descr, body := range map[string]string{"|S5": "csr\x00\x00", "<U3": "c\x00\x00\x00s\x00\x00\x00r\x00\x00\x00", ">U3": "\x00\x00\x00c\x00\x00\x00s\x00\x00\x00r"} {
		a, err := Open(strings.NewReader(string(AppendHeader(nil, descr))+body), "x", -1)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := a.Text(); got != "csr" || err != nil {
			t.Errorf("%s: %q, %v", descr, got, err)
		}
	}
	for _, c := range []struct{ descr, body, text, fault string }{
		{"|S6", "K\u00e4se\x00", "K\u00e4se", ""},
		{"|S4", "a\x00b\x00", "a\x00b", ""},
		{"<U3", "a\x00\x00\x00\x00\x00\x00\x00b\x00\x00\x00", "a\x00b", ""},
		{"|S4", "K\xe4se", "", `x: element 0: "K\xe4se" is not UTF-8`},
		{"<U1", "\x00\xd8\x00\x00", "", "x: element 0: character 0xd800, expected one of Unicode"},
		{"<U1", "a\x00\x00\x80", "", "x: element 0: character 0x80000061, expected one of Unicode"},
	} {
		a, err := Open(strings.NewReader(string(AppendHeader(nil, c.descr))+c.body), "x", -1)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := a.Text(); got != c.text || (err == nil) != (c.fault == "") || err != nil && err.Error() != c.fault {
			t.Errorf("%s %q: %q, %v", c.descr, c.body, got, err)
		}
	}
}

// TestByRows: an array that stands column by column comes out row by row.
func TestByRows(t *testing.T) {
	for _, shape := range [][2]int64{{1, 5}, {5, 1}, {3, 4}, {63, 7}, {64, 3}, {65, 2}, {200, 130}} {
		n, d := shape[0], shape[1]
		v := make([]int64, n*d)
		for k := range v {
			v[k] = int64(k)%n*d + int64(k)/n
		}
		for k, got := range ByRows(&Array{Shape: shape[:], Fortran: true}, v) {
			if got != int64(k) {
				t.Fatalf("shape %v: element %d is %d", shape, k, got)
			}
		}
		if same := ByRows(&Array{Shape: shape[:]}, v); &same[0] != &v[0] {
			t.Errorf("shape %v: a copy of what stands row by row", shape)
		}
	}
}
