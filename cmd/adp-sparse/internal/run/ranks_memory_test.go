package run

import (
	"slices"
	"strings"
	"testing"
)

// TestJudgeNeeds: ranks that share a limit are taken together, others each for
// itself, and the first that do not fit are named.
func TestJudgeNeeds(t *testing.T) {
	need := func(shares string, machine bool, limit int64, bytes ...int64) rankNeed {
		n := rankNeed{Shares: shares, Machine: machine, Limit: limit << 20, From: "test"}
		for _, b := range bytes {
			n.Bytes = append(n.Bytes, b<<20)
		}
		for len(n.Bytes) < len(rankWays) {
			n.Bytes = append(n.Bytes, n.Bytes[0])
		}
		return n
	}
	for _, test := range []struct {
		name  string
		all   []rankNeed
		ranks []int
		text  string
	}{
		{"all fit", []rankNeed{need("a", true, 10, 4), need("b", true, 10, 9), need("a", true, 10, 5)}, nil, ""},
		{"two of a machine do not", []rankNeed{need("b", true, 10, 3), need("a", true, 10, 6), need("a", true, 9, 5)}, []int{1, 2}, "the 2 of 3 ranks that begin with rank 1 on a together need about 11 MiB, the limit is 9 MiB (test); more machines"},
		{"one does not", []rankNeed{need("rank 0", false, 10, 10), need("rank 1", false, 10, 12, 7), need("rank 2", false, 10, 13)}, []int{1}, "rank 1 of 3 needs about 12 MiB, the limit is 10 MiB (test); more processes need less each (g has 8 parts); what fits here: without --calibrate (7 MiB)"},
	} {
		ranks, err := judgeNeeds(test.all, 8, "g")
		text := ""
		if err != nil {
			text = err.Error()
		}
		if !slices.Equal(ranks, test.ranks) || !strings.HasPrefix(text, test.text) || text != "" && test.text == "" {
			t.Errorf("%s: %v, %s", test.name, ranks, text)
		}
	}
}
