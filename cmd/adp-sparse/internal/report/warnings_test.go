package report

import (
	"bytes"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/model"
)

// TestFarPoints: what the warning says of one column, of several, of lengths, and of values that are outside the range but not far.
func TestFarPoints(t *testing.T) {
	const advice = "; if they are in other units, or not prepared as those of the run, prepare them alike\n"
	titles := []string{"height", "weight"}
	for _, test := range []struct {
		far  *model.Far
		want string
	}{
		{nil, ""},
		{
			&model.Far{Points: 312, Asked: 500, Nodes: 1000, Column: 0, Columns: 1, New: [2]float64{2100, 98000}, Run: [2]float64{1.2345678, 9.8}},
			`warning [far-points]: 312 of 500 new points are far from the values of the 1,000 points of the model: column "height" of the features has 2100 to 98000, and the model has 1.235 to 9.8` + advice,
		},
		{
			&model.Far{Points: 1, Asked: 1, Nodes: 30, Column: 4, Columns: 3, New: [2]float64{-1e20, -1e20}, UnitLength: true},
			`warning [far-points]: 1 of 1 new point is far from the values of the 30 points of the model: column 5 of the features, of points of length 1, has -1e+20, and the model has 0 (2 other columns are off, too)` + advice,
		},
		{
			&model.Far{Points: 2, Asked: 3, Nodes: 30, Column: -1, New: [2]float64{0.5, 16}, Run: [2]float64{1100, 4000}},
			"warning [far-points]: 2 of 3 new points are far from the values of the 30 points of the model: their lengths are 0.5 to 16, and the model has 1100 to 4000" + advice,
		},
		{
			&model.Far{Points: 40, Asked: 100, Nodes: 30, Column: 1, Columns: 30, Varying: 57, Slight: true, New: [2]float64{-2, 3}, Run: [2]float64{0, 100}},
			`warning [far-points]: in 30 of 57 columns, a third of the 100 new points or more are outside the range of the 30 points of the model: column "weight" of the features has -2 to 3, and the model has 0 to 100` + advice,
		},
	} {
		var w Warnings
		w.AddFar(test.far, titles)
		var text bytes.Buffer
		if w.Print(&text); text.String() != test.want {
			t.Errorf("got  %swant %s", &text, test.want)
		}
		if test.far != nil && w[0].Count != test.far.Points {
			t.Errorf("count %d of %+v", w[0].Count, *test.far)
		}
	}
}
