package demo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestDigits: the images are those of the source, which counts them by digit.
func TestDigits(t *testing.T) {
	if sum := fmt.Sprintf("%x", sha256.Sum256(digitBits)); sum != "76896a6a8c198eb6305e6da1d6ffa099e4ff87b60937038ad415a37e45d4eeb2" {
		t.Errorf("digits.bits has the sum %s", sum)
	}
	d := readDigits()
	var count [classes]int
	for _, digit := range d.truth {
		count[digit]++
	}
	if want := [classes]int{161, 162, 159, 159, 161, 159, 161, 158, 155, 158}; count != want {
		t.Errorf("%v of each digit, expected %v", count, want)
	}
	if first := d.pixels.Row(0)[:side]; !slices.Equal(first, []float32{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0}) {
		t.Errorf("the first row of pixels is %v", first)
	}
	known, err := d.known(2, d.inOrder())
	if err != nil || len(known) != 20 || known[0].Node != 0 || known[1].Node != 1 || known[2].Class != 1 {
		t.Errorf("known: %v, %v", known, err)
	}
	if _, err := d.known(200, d.inOrder()); err == nil {
		t.Error("200 images of each digit are known")
	}
}

// first notes when it is first written to.
type first struct {
	at time.Time
	bytes.Buffer
}

func (f *first) Write(b []byte) (int, error) {
	if f.at.IsZero() {
		f.at = time.Now()
	}
	return f.Buffer.Write(b)
}

// TestShow: the learned graph beats LGC by more than 0.03, and LGC the nearest image. The
// examples are of different digits, and there is something to read within a second.
func TestShow(t *testing.T) {
	d, start := readDigits(), time.Now()
	var out first
	if err := d.show(context.Background(), &out, ascii); err != nil {
		t.Fatal(err)
	}
	if wait := out.at.Sub(start); wait > time.Second {
		t.Errorf("the first line came after %v", wait)
	}
	right := map[string]float64{}
	for _, m := range regexp.MustCompile(`(?m)^(1-NN|LGC|GFHF|ADP) .* (0\.\d{4}) +\d+$`).FindAllStringSubmatch(out.String(), -1) {
		var share float64
		fmt.Sscan(m[2], &share)
		right[m[1]] = share
	}
	if len(right) != 4 || right["ADP"] < right["LGC"]+0.03 || right["ADP"] < right["GFHF"]+0.02 || right["LGC"] < right["1-NN"]+0.1 {
		t.Errorf("shares %v:\n%s", right, out.String())
	}
	if n := strings.Count(out.String(), "nearest known: "); n != 4 {
		t.Errorf("%d examples:\n%s", n, out.String())
	}
	if lines := strings.Count(out.String(), "\n"); lines > 40 {
		t.Errorf("%d lines", lines)
	}
}

// TestDraws: ADP is ahead of LGC in the random draws as the demo says.
func TestDraws(t *testing.T) {
	racing.LongSum(t) // TestShow is a draw
	want := agreed
	got, err := readDigits().repeat(context.Background(), io.Discard, want.draws)
	if err != nil || got.won != want.won || got.lost != want.draws-want.won || math.Abs(got.lead-want.lead) > 0.002 {
		t.Errorf("%+v, %v, expected %+v", got, err, want)
	}
}

// TestPen: pixels are blocks, and ASCII where the locale is not of UTF-8.
func TestPen(t *testing.T) {
	for _, c := range []struct {
		env  string
		want pen
	}{
		{"", blocks},
		{"LANG=C.UTF-8", blocks},
		{"LANG=de_DE.utf8", blocks},
		{"LANG=C", ascii},
		{"LANG=en_US.ISO-8859-1", ascii},
		{"LANG=C.UTF-8 LC_ALL=POSIX", ascii},
		{"TERM=dumb", ascii},
	} {
		got := penOf(func(name string) string {
			for word := range strings.FieldsSeq(c.env) {
				if value, ok := strings.CutPrefix(word, name+"="); ok {
					return value
				}
			}
			return ""
		})
		if got != c.want {
			t.Errorf("%q: %v", c.env, got)
		}
	}
	pixels := make([]float32, side*side)
	pixels[0], pixels[1], pixels[side+1], pixels[side+2] = 1, 1, 1, 1
	if line := strings.TrimRight(ascii.thumbnail(pixels)[0], " "); line != "'#." {
		t.Errorf("%q", line)
	}
}
