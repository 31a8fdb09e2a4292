package methodflags

import (
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/fit"
)

// TestParsePrior: words, and pairs for all classes in any order and scale.
func TestParsePrior(t *testing.T) {
	classes := []string{"a", "b,c", "d=e"}
	for text, want := range map[string]fit.Prior{"auto": fit.AutoPrior, "equal": fit.EqualPrior, "seeds": fit.SeedPrior} {
		if prior, by, err := ParsePrior(text, classes); prior != nil || by != want || err != nil {
			t.Errorf("%s: %v, %v, %v", text, prior, by, err)
		}
	}
	for text, fault := range map[string]string{
		`d=e=3,"b,c=2",a=1`:     "",
		`a=1,"b,c=2"`:           `no share for label "d=e"`,
		`a=1,a=2,"b,c=2",d=e=3`: `names "a", expected each label of the seeds once`,
		`a=1,x=2`:               `names "x"`,
		`a=0`:                   "expected label=share with a share above 0",
		`a=-1`:                  "share above 0",
		`a=NaN`:                 "share above 0",
		`a=1e19`:                "at most 1e18",
		`a`:                     "expected label=share",
		"a=1\nb=2":              "expected label=share,label=share",
		``:                      "expected label=share,label=share",
	} {
		prior, _, err := ParsePrior(text, classes)
		switch {
		case fault == "" && (err != nil || !slices.Equal(prior, []float64{1, 2, 3})):
			t.Errorf("%s: %v, %v", text, prior, err)
		case fault != "" && (err == nil || !strings.Contains(err.Error(), fault)):
			t.Errorf("%q: %v, expected %s", text, err, fault)
		}
	}
}
