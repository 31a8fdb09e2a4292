package vecs_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// noted returns the first column that is said to have points between thousands, empty for none.
func noted(t *testing.T, name, text string, opt vecs.Options) string {
	t.Helper()
	x, err := vecs.Read(strings.NewReader(text), name, int64(len(text)), opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range x.Notes.Doubtful() {
		if n.Code == "thousands-like" {
			return fmt.Sprint(n.First, n.Count)
		}
	}
	return ""
}

// TestThousands: a column is noted where its points separate thousands for all that is known, and not where it may be otherwise.
func TestThousands(t *testing.T) {
	of := func(values string) string { return "a;b\n" + strings.ReplaceAll(values, " ", ";1\n") + ";1\n" }
	const alike = "1.200 12.345 -2.500 999 850 700 612 541"
	for _, test := range []struct {
		name, text string
		opt        vecs.Options
		want       string
	}{
		{"x.csv", of(alike), vecs.Options{}, "a1"},
		{"x.csv", strings.TrimPrefix(of(alike), "a;b\n"), vecs.Options{}, "column 11"},
		{"x.tsv", strings.ReplaceAll(of(alike), ";", "\t"), vecs.Options{}, "a1"},
		{"x.csv", strings.ReplaceAll(of(alike), ";", ","), vecs.Options{}, ""},
		{"x.csv", of(alike + " 0 0 12"), vecs.Options{}, "a1"},
		{"x.csv", of("1.200 12.345 -2.500 999 850 700 612"), vecs.Options{}, ""},         // few without a point
		{"x.csv", of("1.200 1.200 12.345 999 850 700 612 541"), vecs.Options{}, ""},      // few with one
		{"x.csv", of(alike + " 1 2 3 4 5 6"), vecs.Options{}, ""},                        // most are no larger
		{"x.csv", of("1.201 12.345 -2.505 999 850 700 612 541"), vecs.Options{}, ""},     // none ends with 0
		{"x.csv", of(alike + " 1000"), vecs.Options{}, ""},                               // a thousand without a point
		{"x.csv", of(alike + " 0.500"), vecs.Options{}, ""},                              // a fraction
		{"x.csv", of(alike + " 1.25"), vecs.Options{}, ""},                               // two digits
		{"x.csv", of(alike + " 1.2500"), vecs.Options{}, ""},                             // four
		{"x.csv", of(alike + " 1e3"), vecs.Options{}, ""},                                // an exponent
		{"x.csv", of(alike + " 1.1e3"), vecs.Options{}, ""},                              // an exponent of three signs
		{"x.csv", of(alike + " 007"), vecs.Options{}, ""},                                // zeros before
		{"x.csv", of("1.200 12.345 -2.500 3.100 8.500 7.001 6.122"), vecs.Options{}, ""}, // three decimals
		{"x.csv", "n;a\n2,5;1.234\n3,5;2.345\n1;3.456\n", vecs.Options{Without: []string{"n"}}, "a1"},
		{"x.csv", "n;a\n1.002,5;1.234\n3;2.345\n1;3.456\n", vecs.Options{IDColumn: "n"}, "a1"},
		{"x.csv", "n;a\n2,5;1.234\n3,5;2.345\n1;3.4\n", vecs.Options{Without: []string{"n"}}, ""},
		{"x.csv", "n;a\nx,y;1.234\n3;2.345\n1,;3.456\n", vecs.Options{Without: []string{"n"}}, ""}, // no decimal commas
		{"x.tsv", "n\ta\tb\n2,5\t1.234\t5.678\n3,5\t2.345\t1.234\n1\t3.456\t2.121\n", vecs.Options{Without: []string{"n"}}, "a2"},
	} {
		if got := noted(t, test.name, test.text, test.opt); got != test.want {
			t.Errorf("%q: noted %q, expected %q", test.text, got, test.want)
		}
	}
}

// TestThousandsSilent: numbers as programs write them are not noted.
func TestThousandsSilent(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for name, form := range map[string]func(v float64) string{
		"shortest":       func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 32) },
		"three decimals": func(v float64) string { return fmt.Sprintf("%.3f", v) },
		"four digits":    func(v float64) string { return fmt.Sprintf("%.4g", v) },
		"rounded":        func(v float64) string { return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64) },
		"three decimals where there are some": func(v float64) string {
			if v = math.Round(2*v) / 2; v == math.Trunc(v) {
				return fmt.Sprint(v)
			}
			return fmt.Sprintf("%.3f", v)
		},
	} {
		for range 20 {
			var text strings.Builder
			text.WriteString("a;b;c;d\n")
			for range 300 {
				for k, v := range []float64{1 + 9*rng.Float64(), 500 * rng.Float64(), math.Exp(2 + rng.NormFloat64()), rng.NormFloat64()} {
					text.WriteString([]string{"", ";", ";", ";"}[k] + form(v))
				}
				text.WriteString("\n")
			}
			if got := noted(t, "x.csv", text.String(), vecs.Options{}); got != "" {
				t.Errorf("%s: column %s", name, got)
			}
		}
	}
}
