package numtext

import (
	"fmt"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/racing"
)

func TestFloat32(t *testing.T) {
	for text, want := range map[string]float32{
		"1": 1, "-2.5": -2.5, "+.5": .5, "1e3": 1000, "1E-3": .001, "16777217": 16777216, "1e-60": 0, "3.4028235e38": 3.4028235e38,
	} {
		if got, err := Float32([]byte(text)); got != want || err != nil {
			t.Errorf("%s: %v, %v, expected %v", text, got, err, want)
		}
	}
	for text, want := range map[string]error{
		"": errNotDecimal, "-": errNotDecimal, "1e": errNotDecimal, "1.2.3": errNotDecimal, "0x1p3": errNotDecimal, "1_000": errNotDecimal, "1 2": errNotDecimal,
		"nan": errNotFinite, "-Inf": errNotFinite, "infinity": errNotFinite, "3.5e38": errRange, "-1e400": errRange,
	} {
		if _, err := Float32([]byte(text)); err != want {
			t.Errorf("%q: %v, expected %v", text, err, want)
		}
	}
}

// TestScanner reads lines with all line ends, at and past the size of the
// buffer, and counts them.
func TestScanner(t *testing.T) {
	for _, length := range []int{1, 64<<10 - 1, 64 << 10, 64<<10 + 1, 200 << 10} {
		word := strings.Repeat("x", length)
		s := NewScanner(strings.NewReader("\xef\xbb\xbfa  b\r\n\n# c\n\t"+word+" 1 # d\nlast"), "f")
		s.Comment = '#'
		got := ""
		for s.Scan() {
			got += fmt.Sprintf("%d:%s\n", s.Line(), s.Fields())
		}
		if want := "1:[a b]\n4:[" + word + " 1]\n5:[last]\n"; got != want || s.Err() != nil {
			t.Errorf("length %d: %.200s, %v", length, got, s.Err())
		}
	}
}

// TestLongLine gives up on a line that never ends.
func TestLongLine(t *testing.T) {
	racing.LongSum(t)
	s := NewScanner(endless{}, "f")
	if s.Scan() || s.Err() == nil || s.Err().Error() != "f:1: line longer than 67108864 bytes" {
		t.Errorf("got %v", s.Err())
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '1'
	}
	return len(b), nil
}
