package knn

import (
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// TestMissingCodes: codes for missing values, and numbers that only look so.
func TestMissingCodes(t *testing.T) {
	// with returns a column that begins with some values and goes on with 1 to 5.
	with := func(first ...float32) func(i int) float32 {
		return func(i int) float32 {
			if i < len(first) {
				return first[i]
			}
			return float32(i%5) + 1
		}
	}
	usual := with()
	for name, test := range map[string]struct {
		x    *csr.Dense
		want MissingCode
	}{
		"answers":              {columnsOf(100, usual, with(99, 99)), MissingCode{2, 99, 2, 1, 5, 1}},
		"refused and unknown":  {columnsOf(100, with(88, 99, 99, 88, 88)), MissingCode{1, 88, 5, 1, 5, 1}},
		"two columns":          {columnsOf(100, with(99, 99, 99), with(999, 999)), MissingCode{1, 99, 3, 1, 5, 2}},
		"measured":             {columnsOf(100, with(0.5, 999.9, 999.9, -3.25)), MissingCode{1, 999.9, 2, -3.25, 5, 1}},
		"below 0":              {columnsOf(100, with(-9, -9, 0.5)), MissingCode{1, -9, 2, 0.5, 5, 1}},
		"a scale below 0":      {columnsOf(100, with(-8, -8, -8, -9, -9)), MissingCode{1, -8, 5, 1, 5, 1}},
		"both":                 {columnsOf(100, with(-9, -9, 999)), MissingCode{1, -9, 3, 1, 5, 1}},
		"ages and a code":      {columnsOf(100, with(30, 77, 98, 99, -99, -99)), MissingCode{1, -99, 2, 1, 99, 1}},
		"large ones":           {columnsOf(100, with(99, 999, 999)), MissingCode{1, 999, 3, 1, 5, 1}},
		"many points":          {columnsOf(30_000, with(), func(i int) float32 { return []float32{1, 2, 99}[i/3%3] }), MissingCode{2, 99, 3333, 1, 2, 1}},
		"once":                 {columnsOf(100, with(99)), MissingCode{}},
		"too few":              {columnsOf(201, with(99, 99)), MissingCode{}},
		"counts up to it":      {columnsOf(100, with(99, 99, 20)), MissingCode{}},
		"measured around 0":    {columnsOf(100, with(99, 99, -20)), MissingCode{}},
		"temperatures":         {columnsOf(100, with(-9, -9, -3)), MissingCode{}},
		"a scale without sure": {columnsOf(100, with(-7, -7, -8, -8, -9)), MissingCode{}},
		"nothing else":         {columnsOf(100, func(i int) float32 { return []float32{99, 999}[i%2] }), MissingCode{}},
		"one other value":      {columnsOf(100, func(i int) float32 { return []float32{0, 99}[i%2] }), MissingCode{}},
		"ages":                 {columnsOf(100, func(i int) float32 { return float32(i%80) + 20 }), MissingCode{}},
		"no features":          {columnsOf(100), MissingCode{}},
	} {
		got := MissingCodes(test.x)
		if got == nil {
			got = &MissingCode{}
		}
		if *got != test.want {
			t.Errorf("%s: %+v, expected %+v", name, *got, test.want)
		}
	}
}
