package bench

import (
	"context"
	"fmt"
	"io"

	"github.com/adp-sparse/adp-sparse/adp/calibrate"
	"github.com/adp-sparse/adp-sparse/csr"
)

// Confidence is an experiment: how well the confidence of a method holds as the probability of being right, over draws of
// labelled nodes.
type Confidence struct {
	Sets     []Set
	Method   Method
	PerClass []int // labelled nodes a class
	Draws    int
	Seed     uint64
	Splits   Splits
}

// tenths is the number of parts that the nodes of a draw are split into, by their confidence.
const tenths = 10

// ConfidenceRow holds means over the draws of a set, of the nodes with a label and a true one that a draw tests on.
type ConfidenceRow struct {
	Set      string
	PerClass int
	Draws    int
	Checked  int     // draws whose left-out seeds were enough for a calibration
	LeftOut  float64 // seeds
	Right    float64 // share of the nodes whose label is right
	Said     float64 // mean confidence
	Error    float64 // expected calibration error
	Brier    float64 // mean squared error of the confidence
	Flat     float64 // that of Right as the confidence of all nodes
	// Tenths are the mean confidence and the share that is right of each tenth of the nodes, those of the least
	// confidence first; nil for draws of fewer than 100 nodes.
	Tenths [][2]float64
	parted int // draws with tenths
}

// Run does the experiment. The confidence is calibrated where the method does not give a probability by itself and the seeds are enough.
func (e Confidence) Run(ctx context.Context) (all []ConfidenceRow, err error) {
	e.Method.Calibrate = true
	a := Accuracy{Sets: e.Sets, Methods: []Method{e.Method}, PerClass: e.PerClass, Draws: e.Draws, Seed: e.Seed, Splits: e.Splits}
	for _, set := range e.Sets {
		g, err := set.Load(ctx)
		if err != nil {
			return nil, err
		}
		rows, err := a.rows(set, g)
		if err != nil {
			return nil, err
		}
		for _, draws := range rows {
			row := ConfidenceRow{Set: set.Name, PerClass: draws[0].PerClass}
			for _, d := range draws {
				if err := e.draw(ctx, a, d, &row); err != nil {
					return nil, fmt.Errorf("set %s: %w", set.Name, err)
				}
			}
			row.divide(float64(row.Draws))
			all = append(all, row)
		}
	}
	return all, nil
}

// draw adds the figures of a draw to the row.
func (e Confidence) draw(ctx context.Context, a Accuracy, d Drawn, row *ConfidenceRow) error {
	seeds, err := d.seeds()
	if err != nil {
		return err
	}
	r, err := a.result(ctx, d, seeds, e.Method, func() (*csr.Matrix, error) { return d.Graph.Choose(ctx, seeds) })
	if err != nil {
		return err
	}
	classes, skip := d.known(), d.exclude()
	var right []bool
	var p []float64
	for i, y := range d.Graph.Truth {
		if y >= 0 && r.Labels[i] >= 0 && !skip[i] {
			right = append(right, classes[r.Labels[i]] == y)
			p = append(p, float64(r.Confidence[i]))
		}
	}
	if len(p) == 0 {
		return nil
	}
	row.Draws++
	if c := r.Calibration; c != nil {
		row.LeftOut += float64(c.LeftOut)
		if c.Calibrated {
			row.Checked++
		}
	}
	share := 0.0
	for _, is := range right {
		if is {
			share += 1 / float64(len(right))
		}
	}
	flat := make([]float64, len(p))
	for k := range flat {
		flat[k] = share
		row.Said += p[k] / float64(len(p))
	}
	row.Right += share
	row.Error += calibrate.ECE(calibrate.Reliability(p, right))
	row.Brier += brier(p, right)
	row.Flat += brier(flat, right)
	row.addTenths(p, right)
	return nil
}

// addTenths adds the tenths of a draw.
func (r *ConfidenceRow) addTenths(p []float64, right []bool) {
	if len(p) < tenths*tenths {
		return
	}
	order := calibrate.Ascending(p)
	if r.Tenths == nil {
		r.Tenths = make([][2]float64, tenths)
	}
	r.parted++
	for t := range tenths {
		part := order[t*len(p)/tenths : (t+1)*len(p)/tenths]
		for _, k := range part {
			r.Tenths[t][0] += p[k] / float64(len(part))
			if right[k] {
				r.Tenths[t][1] += 1 / float64(len(part))
			}
		}
	}
}

// brier returns the mean of (p − outcome)².
func brier(p []float64, right []bool) float64 {
	sum := 0.0
	for k, v := range p {
		if right[k] {
			v = 1 - v
		}
		sum += v * v
	}
	return sum / float64(max(len(p), 1))
}

func (r *ConfidenceRow) divide(by float64) {
	if by == 0 {
		return
	}
	for _, v := range []*float64{&r.LeftOut, &r.Right, &r.Said, &r.Error, &r.Brier, &r.Flat} {
		*v /= by
	}
	for k := range r.Tenths {
		r.Tenths[k][0] /= float64(max(r.parted, 1))
		r.Tenths[k][1] /= float64(max(r.parted, 1))
	}
}

// WriteConfidence writes the rows and their mean as a Markdown table, and the mean of their tenths as another.
func WriteConfidence(w io.Writer, rows []ConfidenceRow) error {
	t := NewTable("set", "labels a class", "draws", "checked", "left out", "right", "confidence", "error", "Brier", "Brier of one for all")
	mean, with := ConfidenceRow{Set: "mean", Tenths: make([][2]float64, tenths)}, 0
	for _, r := range rows {
		if r.Draws > 0 {
			mean.add(&r)
			with++
		}
		t.Add(append([]string{r.Set, labelsText(r.PerClass)}, r.cells()...)...)
	}
	mean.divide(float64(with))
	t.Add(append([]string{mean.Set, ""}, mean.cells()...)...)
	if err := t.Write(w); err != nil || mean.parted == 0 {
		return err
	}
	header, said, right := []string{"tenth of the nodes"}, []string{"confidence"}, []string{"right"}
	for k, v := range mean.Tenths {
		header = append(header, fmt.Sprint(k+1))
		said, right = append(said, fmt.Sprintf("%.3f", v[0])), append(right, fmt.Sprintf("%.3f", v[1]))
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	parts := NewTable(header...)
	parts.Add(said...)
	parts.Add(right...)
	return parts.Write(w)
}

// add adds the figures of another row.
func (r *ConfidenceRow) add(o *ConfidenceRow) {
	r.Draws, r.Checked = r.Draws+o.Draws, r.Checked+o.Checked
	r.LeftOut, r.Right, r.Said = r.LeftOut+o.LeftOut, r.Right+o.Right, r.Said+o.Said
	r.Error, r.Brier, r.Flat = r.Error+o.Error, r.Brier+o.Brier, r.Flat+o.Flat
	if o.Tenths != nil {
		r.parted++
	}
	for k, v := range o.Tenths {
		r.Tenths[k][0], r.Tenths[k][1] = r.Tenths[k][0]+v[0], r.Tenths[k][1]+v[1]
	}
}

func (r *ConfidenceRow) cells() []string {
	cells := []string{fmt.Sprint(r.Draws), fmt.Sprint(r.Checked), fmt.Sprintf("%.0f", r.LeftOut)}
	for _, v := range []float64{r.Right, r.Said, r.Error, r.Brier, r.Flat} {
		cells = append(cells, fmt.Sprintf("%.3f", v))
	}
	return cells
}
