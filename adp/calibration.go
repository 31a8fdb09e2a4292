package adp

import (
	"context"
	"fmt"

	"github.com/adp-sparse/adp-sparse/adp/calibrate"
	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
)

// Calibration holds what left-out seeds tell about the confidence of a run.
type Calibration struct {
	// Calibrated reports whether there is a Model. If not, Reason says why, and confidence stays
	// raw.
	Calibrated bool   `json:"calibrated"`
	Reason     string `json:"reason,omitempty"`
	Folds      int    `json:"folds"` // runs made
	// LeftOut counts the seeds that were hidden once and labelled by a run without them. Unreached
	// counts those of them that the other seeds did not reach.
	LeftOut   int `json:"left_out_seeds"`
	Unreached int `json:"left_out_unreached"`
	// Accuracy is the share of LeftOut with the right label.
	Accuracy float64 `json:"left_out_accuracy"`
	// Model maps the rank of a margin to the probability of being right. Nil where confidence is such a probability as it
	// is ([NewCalibration]).
	Model *calibrate.Model `json:"model,omitempty"`
	// Bins and ECE are of the left-out seeds, each judged by the model of the folds that did not
	// contain it; of [NewCalibration] they are of what it is given. RawECE is of their raw confidence.
	Bins   []calibrate.Bin `json:"reliability,omitempty"`
	ECE    float64         `json:"ece,omitempty"`
	RawECE float64         `json:"raw_ece,omitempty"`
}

// CalibrationFolds is the number of folds of [Calibrate] for v = 0.
const CalibrationFolds = 5

// calibrationSeed seeds the shuffle of the folds. It is fixed: which seeds are hidden together is
// not for the user to choose.
const calibrationSeed = 1

// Calibrate runs the options on v folds of the seeds (0 means [CalibrationFolds]). A run that does
// not know it labels each hidden seed. The model then fits the probability of a right label to the
// rank of the seed's margin among the run's nodes that are not its seeds.
//
// With fewer than [calibrate.MinCases] seeds to hide (see [crossval.Folds]) it makes no run, and the
// calibration says so. Otherwise it costs v runs; with the options of [Options.Chosen] none is
// longer than the way to the chosen round.
//
// Each fold has fewer seeds than the run that it speaks for, so its accuracy, and with it the
// confidence, is rather too low: with five folds and three seeds a class, it is that of about two.
// It speaks for the nodes only as far as the seeds were drawn like them: equally many seeds from
// classes of unequal sizes give the small classes too much weight. The confidence holds on average
// over the nodes. For the nodes of the smallest margins it can be far too high, because few
// left-out seeds, or none, resemble them.
//
// Errors are those of [Run], whether or not there are seeds to hide, and a [diffuse.ErrOptions] for one fold or fewer than 0.
func Calibrate(ctx context.Context, w *csr.Matrix, y *diffuse.Seeds, opt Options, v int) (*Calibration, error) {
	if err := Check(w, y, opt); err != nil {
		return nil, err
	}
	return calibrated(y, opt, v, nil, nil, func(train *diffuse.Seeds, opt Options) (*Result, error) {
		r, err := Run(ctx, w, train, opt)
		if err == nil {
			err = r.Close()
		}
		return r, err
	})
}

// calibrateRanks is Calibrate of package adp/ranks.
func calibrateRanks(ctx context.Context, world *dist.World, w *csr.Matrix, y *diffuse.Seeds, place []uint32, opt Options, v int) (*Calibration, error) {
	return calibrated(y, opt, v, &rankRows{world: world}, place, func(train *diffuse.Seeds, opt Options) (*Result, error) {
		return resumeRanks(ctx, world, w, train, place, opt, nil)
	})
}

// calibrated fits a calibration to the results of run on folds of the seeds y. Node i has the row
// place[i] of p.
func calibrated(y *diffuse.Seeds, opt Options, v int, p *rankRows, place []uint32, run func(*diffuse.Seeds, Options) (*Result, error)) (*Calibration, error) {
	if v == 0 {
		v = CalibrationFolds
	}
	if err := crossval.Check(v); err != nil {
		return nil, err
	}
	c := &Calibration{}
	hideable := 0
	for _, hidden := range crossval.Folds(y, v, calibrationSeed) {
		hideable += len(hidden)
	}
	if hideable < calibrate.MinCases {
		c.Reason = fmt.Sprintf("cross-validation can leave out %d known labels, fewer than %d", hideable, calibrate.MinCases)
		return c, nil
	}
	opt = opt.OnFold()
	var cases []calibrate.Case
	var raw []float64
	for train, hidden := range crossval.Folds(y, v, calibrationSeed) {
		r, err := run(train, opt)
		if err != nil {
			return nil, err
		}
		answers := p.answers(r, hidden, place)
		ranks := p.marginRanks(r.ranking(), answers)
		for k, s := range hidden {
			if answers[k].label < 0 {
				c.Unreached++
				continue
			}
			cases = append(cases, calibrate.Case{Rank: ranks[k], Right: answers[k].label == int32(s.Class), Fold: c.Folds})
			raw = append(raw, float64(answers[k].confidence))
		}
		c.Folds++
	}
	c.fit(cases, raw)
	return c, nil
}

// NewCalibration judges a confidence that is a probability already, on left-out seeds. raw is the confidence before it was
// corrected, right says whether labels are right, and unreached counts seeds of which nothing was known. The result is not Calibrated where there are fewer than [calibrate.MinCases].
func NewCalibration(raw, confidence []float64, right []bool, unreached, folds int) *Calibration {
	c := &Calibration{Folds: folds, LeftOut: len(right), Unreached: unreached}
	if c.count(right) {
		c.Calibrated = true
		c.Bins = calibrate.Reliability(confidence, right)
		c.ECE, c.RawECE = calibrate.ECE(c.Bins), calibrate.ECE(calibrate.Reliability(raw, right))
	}
	return c
}

// count fills in Accuracy. It reports whether there are enough cases, and says so if not.
func (c *Calibration) count(right []bool) bool {
	count := 0
	for _, is := range right {
		if is {
			count++
		}
	}
	c.Accuracy = float64(count) / float64(max(len(right), 1))
	switch {
	case len(right) >= calibrate.MinCases:
	case c.Unreached == 0:
		c.Reason = fmt.Sprintf("cross-validation can leave out %d known labels, fewer than %d", len(right), calibrate.MinCases)
		return false
	default:
		c.Reason = fmt.Sprintf("in cross-validation %d known labels were reached by others, fewer than %d", len(right), calibrate.MinCases)
		return false
	}
	return true
}

// Said returns the mean confidence of the left-out seeds.
func (c *Calibration) Said() float64 {
	sum, cases := 0.0, 0
	for _, b := range c.Bins {
		sum, cases = sum+float64(b.Mean*float64(b.Cases)), cases+b.Cases
	}
	return sum / float64(max(cases, 1))
}

// fit fits the model to the cases; raw is their raw confidence.
func (c *Calibration) fit(cases []calibrate.Case, raw []float64) {
	c.LeftOut = len(cases)
	right := make([]bool, len(cases))
	for k := range cases {
		right[k] = cases[k].Right
	}
	if !c.count(right) {
		return
	}
	model := calibrate.Fit(cases)
	c.Calibrated, c.Model = true, &model
	c.Bins = calibrate.Reliability(calibrate.Crossed(cases), right)
	c.ECE = calibrate.ECE(c.Bins)
	c.RawECE = calibrate.ECE(calibrate.Reliability(raw, right))
}

// Apply replaces the confidence of each labelled node of r, the result of the run that c was made
// for, by its probability of being right. The status becomes Uncertain where that is below
// minConfidence and Predicted where it is not, except for ties. For a seed it is the probability of
// the label that F gives it. Margin stays. Without a model nothing changes.
func (c *Calibration) Apply(r *Result, minConfidence float64) {
	if c.Model == nil {
		return
	}
	ranking := r.ranking()
	for i, label := range r.Labels {
		if label < 0 {
			continue
		}
		p := c.Model.P(ranking.At(r.Margin[i]))
		r.Confidence[i] = float32(p)
		if r.Status[i] == Seed {
			continue
		}
		r.Status[i] = Predicted
		if r.Margin[i] <= TieMargin || p < minConfidence {
			r.Status[i] = Uncertain
		}
	}
}

// ranking ranks the margins of the labelled nodes that are no seeds.
func (r *Result) ranking() calibrate.Ranking {
	var margins []float32
	for i, label := range r.Labels {
		if label >= 0 && r.Status[i] != Seed {
			margins = append(margins, r.Margin[i])
		}
	}
	return calibrate.NewRanking(margins)
}

// Chosen returns the options of a run that repeats what led to r and no more: the leading setting,
// in the same order of nodes, without other settings and without a trial. It is LGC where LGC was
// chosen.
func (o Options) Chosen(r *Result) Options {
	if !o.Method.Has(Tries) {
		return o
	}
	round := r.Rounds[r.Chosen]
	o.Order = o.orderBehind(r)
	o.TrialFolds = -1
	if round.TopK == 0 {
		o.Method, o.Alpha = LGC, round.Alpha
		return o
	}
	if o.Select == Auto || o.Select == Full {
		o = o.Alone(round.Setting)
	}
	return o
}

// OnFold returns the options for other seeds, as those of a fold of a run, on the same graph. Nobody watches such runs, as
// Observer, Progress and Checkpoint are told of the caller's own. They have no Start, which may know the
// hidden seeds, and keep nothing to start from.
func (o Options) OnFold() Options {
	o.Observer, o.Progress, o.Checkpoint = nil, nil, nil
	o.Start, o.KeepFirst, o.KeepFolds = nil, false, false
	return o
}
