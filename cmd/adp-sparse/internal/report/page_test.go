package report

import (
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
)

// TestChosenSetting: the settings of the page name those of the result, which the choice may
// have made with others than the options begin with.
func TestChosenSetting(t *testing.T) {
	tuned := adp.Setting{TopK: 40, GraphAlpha: 0.99}
	rounds := []adp.Round{{Alpha: 0.99}, {Index: 1, Setting: tuned}, {Index: 2, Setting: tuned, Weight: 0.625}, {Index: 3, Alpha: 0.8}}
	for _, test := range []struct {
		method string
		chosen int
		want   string
	}{
		{"adp", 0, "LGC on the graph as given, α 0.99 (round 0)"},
		{"adp", 1, "top-k 40, anchor 0, α_A 0.99 (round 1)"},
		{"adp", 2, "top-k 40, anchor 0, α_A 0.99 (round 2, 0.62 of the mean of rounds that the result is)"},
		{"adp", 3, "LGC on the graph as given, α 0.8 (round 3)"},
		{"lgc", 0, ""},
	} {
		r := &Run{Options: Options{Method: test.method, TopK: 5, Anchor: 0.5, GraphAlpha: 0.9}, Results: Results{Rounds: rounds, Chosen: test.chosen}}
		got := ""
		for _, line := range r.settings() {
			if line.Name == "chosen" {
				got = line.Value
			}
		}
		if got != test.want {
			t.Errorf("%s, round %d: chosen is %q, expected %q", test.method, test.chosen, got, test.want)
		}
	}
}
