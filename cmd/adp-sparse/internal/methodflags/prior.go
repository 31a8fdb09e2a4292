package methodflags

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/adp-sparse/adp-sparse/adp/choice"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// BindPrior binds --class-prior.
func BindPrior(flags *pflag.FlagSet, to *string, says string) {
	flags.StringVar(to, "class-prior", "auto", says)
	flags.Lookup("class-prior").Annotations = map[string][]string{usage.Listed: {}}
}

// PriorPairs describes the pairs of --class-prior.
const PriorPairs = `label=share,label=share,… (any scale; quotes around a pair whose label has a comma: "a,b=2",c=1)`

// ParsePrior reads class sizes: a word, or a label=share pair for each class, between commas and
// quoted as in csv.
func ParsePrior(text string, classes []string) ([]float64, fit.Prior, error) {
	if by, ok := map[string]fit.Prior{"auto": fit.AutoPrior, "equal": fit.EqualPrior, unweighed: fit.EqualPrior, "seeds": fit.SeedPrior}[text]; ok {
		return nil, by, nil
	}
	prior, err := parseShares(text, classes)
	return prior, fit.AutoPrior, err
}

// StatedPrior is ParsePrior without a choice by left-out seeds: auto is equal classes.
func StatedPrior(text string, classes []string, seeds *diffuse.Seeds) ([]float64, error) {
	prior, by, err := ParsePrior(text, classes)
	if by == fit.SeedPrior {
		prior = choice.SeedPrior(seeds)
	}
	return prior, err
}

// parseShares reads label=share pairs.
func parseShares(text string, classes []string) ([]float64, error) {
	in := csv.NewReader(strings.NewReader(text))
	in.LazyQuotes = true // labels may have quotes
	pairs, err := in.Read()
	if _, more := in.Read(); err != nil || more != io.EOF {
		return nil, usage.Errorf("--class-prior %q, expected label=share,label=share,…", text)
	}
	prior := make([]float64, len(classes))
	for _, pair := range pairs {
		name, share := pair, ""
		if to := strings.LastIndexByte(pair, '='); to >= 0 { // labels may have = too
			name, share = pair[:to], pair[to+1:]
		}
		v, err := strconv.ParseFloat(share, 64)
		if err != nil || !(v > 0) || v > 1e18 {
			return nil, usage.Errorf("--class-prior %q, expected label=share with a share above 0 and at most 1e18, or equal, seeds, none or auto", pair)
		}
		at := -1
		for j, class := range classes {
			if class == name {
				at = j
			}
		}
		if at < 0 || prior[at] != 0 {
			return nil, usage.Errorf("--class-prior names %q, expected each label of the seeds once", name)
		}
		prior[at] = v
	}
	for j, v := range prior {
		if v == 0 {
			return nil, usage.Errorf("--class-prior has no share for label %q", classes[j])
		}
	}
	return prior, nil
}
