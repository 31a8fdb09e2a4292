package methodflags

import (
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
)

// TestList: methods as text, of none to all.
func TestList(t *testing.T) {
	for want, got := range map[string]string{
		"":                                 List(nil, "or", adp.Method.String),
		"adp":                              List(adp.Tries.Methods(), "or", adp.Method.String),
		"adp and adp1":                     List(adp.LearnsSparse.Methods(), "and", adp.Method.String),
		"adp, adp1 (joint variant) or lgc": List(adp.OverRanks.Methods(), "or", adp.Method.Described),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
