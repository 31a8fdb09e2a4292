package bounded_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/bounded"
)

// TestReader: elements up to the limit pass, whatever their number; a longer
// one fails after about as many bytes.
func TestReader(t *testing.T) {
	tooLong := errors.New("too long")
	for _, size := range []int{90, 200, 1 << 20} {
		text := strings.NewReader("<a>" + strings.Repeat("<b c='"+strings.Repeat("x", size)+"'/>", 30) + "</a>")
		r := bounded.NewReader(text, 100, tooLong)
		d := xml.NewDecoder(r)
		var err error
		for err == nil {
			r.Next()
			_, err = d.Token()
		}
		if size < 100 && err != io.EOF || size >= 100 && !errors.Is(err, tooLong) {
			t.Errorf("elements of %d bytes: %v", size, err)
		}
	}
	r := bounded.NewReader(strings.NewReader(strings.Repeat("x", 1000)), 100, tooLong)
	if n, err := io.Copy(io.Discard, r); n < 100 || !errors.Is(err, tooLong) {
		t.Errorf("%d bytes, %v", n, err)
	}
}
