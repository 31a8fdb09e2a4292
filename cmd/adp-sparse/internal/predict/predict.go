// Package predict is the command that labels new points from a model.
package predict

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/adp/labelnpz"
	"github.com/adp-sparse/adp-sparse/adp/labelparquet"
	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/adp/multilabel"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/points"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/source"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/inputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/machine"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/program"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/clock"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/knn"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// flags are the flags of `predict`.
type flags struct {
	model, features, points, out, report string
	source                               source.Flags // of --edges
	options                              vecs.Options // of the new points
	pick                                 points.ColumnFlags
	comments                             format.Comments
	proba, quiet, guard                  bool
	minConfidence                        float64
	threads, block                       int
}

func New(std streams.Stdio) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "predict --model FILE (--points FILE | --edges FILE | both) [--features FILE] [--out FILE]",
		Short: "Label new points from a model, without running again",
		Long: `Each new point is joined to its nearest neighbours among the vectors that the
model's graph was made of, with the metric and weights of that graph (where the
metric is ip, by cosine: nearly all have their largest products with the
longest vectors), and gets its label by one step of F = αSF + (1−α)Y from the F
of the run. Points do not see each other: the rows are the same whatever the others are. After a run on
features alone, randomised trees or a regression that learn the labels of the run may have a part in the answer. After a run on edges
and features, a regression on the features has a part in the answer too, and --edges
joins points to nodes of the run by name, beside their neighbours. The regression then knows the features of these nodes, too. After a run on edges
alone, --edges does without --points, and the regression is on the nodes they join. After run --multilabel a
point has a row for each of its labels. Columns of csv files with
headers are matched by their titles, others by position. Points without names are 0, 1, 2, …,
also after run --index-base 1; with --edges they go on with the numbers of the run's nodes. The vectors must be the
ones of the run; their checksum is in the model. Neighbours are exact, and the
output is the same for any number of threads.`,
		Example: `  adp-sparse run --features vectors.npy --labels seeds.tsv --out labels.tsv --model run.model
  adp-sparse predict --model run.model --points new.npy --out new-labels.tsv
  adp-sparse predict --model run.model --points new.csv --id-column name --edges new-edges.tsv > new-labels.tsv
  adp-sparse predict --model run.model --features moved/vectors.npy --points new.csv --id-column name > new-labels.tsv`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), std) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.model, "model", "", "the model that run --model wrote")
	flags.StringVar(&f.points, "points", "", "new points, vectors like those of the run\n- is standard input, with --format. .npy and .csv are read in blocks, others are held whole.")
	f.source.BindEdges(cmd, "edges between new points and nodes of the run, by name\nFor a model of a run with edges. Formats as for run; - is standard input. Points without names go on with the numbers of a run's nodes, from 0 or 1. Edges between two new points are not used.")
	flags.StringVar(&f.features, "features", "", "vectors of the run, where their file has moved")
	flags.StringVar(&f.options.Format, "format", "", "format of --points where the ending does not say: npy, csv, …")
	flags.StringVar(&f.options.Array, "array", "", "name of the array of --points, in a .npz file with several")
	f.pick.Bind(cmd, "--points", "0 to m-1", "those of ids, and what the run left out")
	f.comments.Bind(cmd, "the inputs")
	flags.StringVar(&f.out, "out", "-", "file of the labels (- is standard output)\nColumns: node label confidence margin status. Text (.csv separates by commas), or .parquet or .npz, for which all are held.")
	flags.StringVar(&f.report, "report", "", "a report of the run, as JSON")
	flags.BoolVar(&f.proba, "proba", false, "add a column of scores for each class to --out")
	flags.BoolVar(&f.guard, format.GuardFlag, false, format.GuardText)
	flags.Float64Var(&f.minConfidence, "min-confidence", 0, "a label of less confidence has the status uncertain")
	flags.IntVar(&f.block, "block", 8192, "points that are held and searched for at a time")
	flags.IntVar(&f.threads, "threads", 0, "worker threads; any number gives the same result (default: all cores)")
	flags.BoolVar(&f.quiet, "quiet", false, "no summary on standard error")
	return cmd
}

// Report is what --report writes and the summary shows.
type Report struct {
	Version  string          `json:"version"`
	Model    string          `json:"model"`
	Features string          `json:"features"`
	Stored   int             `json:"stored_points"`
	Dims     int             `json:"dims"`
	Joins    *knn.Attachment `json:"joins"` // nil where no neighbours were searched for
	// Alone is the part of the answer that features alone have, by regression or by trees. After a run on edges alone
	// it is that of regression on the nodes that a point is joined to.
	Alone float64 `json:"features_alone"`
	// Near says who answers for a point with edges, after a run on edges and features; nil for others.
	Near   *NearReport    `json:"with_edges,omitempty"`
	Edges  *EdgeReport    `json:"edges,omitempty"` // of --edges
	Points int            `json:"points"`
	Notes  notes.List     `json:"notes,omitempty"` // of the reader of the points
	Status map[string]int `json:"status"`
	Labels map[string]int `json:"labels"`
	// Warnings are those on standard error.
	Warnings report.Warnings    `json:"warnings"`
	Seconds  map[string]float64 `json:"seconds"`
	// PerSecond is the number of points read, labelled and written in a second.
	PerSecond float64 `json:"points_per_second"`
	PeakBytes int64   `json:"peak_bytes"`

	byEdges bool // there were no features
	several bool // points may have several labels
}

// NearReport are the parts of the answer of a point with edges.
type NearReport struct {
	Features   float64 `json:"features"`   // by regression on features
	Neighbours float64 `json:"neighbours"` // the part of this in which the features of neighbours take part
}

func (f *flags) check() error {
	switch {
	case f.model == "":
		return usage.Errorf("say where the model is: --model FILE, which run --model wrote")
	case f.points == "" && f.source.Edges == "":
		return usage.Errorf("say where the new points are: --points FILE, or --edges FILE for a model of edges")
	case f.points == "" && f.features != "":
		return usage.Errorf("--features is for --points")
	case usage.CheckThreads(f.threads) != nil:
		return usage.CheckThreads(f.threads)
	case f.block < 1:
		return usage.Errorf("--block %d, expected at least 1", f.block)
	case !(f.minConfidence >= 0 && f.minConfidence <= 1):
		return usage.Errorf("--min-confidence %v, expected 0 to 1", f.minConfidence)
	}
	if err := f.comments.Check(); err != nil {
		return err
	}
	f.options.Comments = f.comments.Prefixes
	if err := f.source.CheckEdges(f.comments); err != nil {
		return err
	}
	if err := cmp.Or(format.CheckRowsOut("out", f.out, "labels", format.Parquet, format.NPZ), format.CheckGuard(f.guard, f.out), format.CheckProba(f.proba, f.out), format.CheckReport(f.report, false)); err != nil {
		return err
	}
	if err := cmp.Or(f.pick.Check(f.points, f.options.Format), points.CheckFile(f.points, f.options.Format, f.options.Array, f.pick.ID)); err != nil {
		return err
	}
	return outputs.CheckInputs(f.model, f.features, f.points, f.source.Edges)
}

func (f *flags) run(ctx context.Context, std streams.Stdio) error {
	if err := f.check(); err != nil {
		return err
	}
	r := &Report{Version: program.Version(), Model: f.model, Status: map[string]int{}, Labels: map[string]int{}}
	inputs := []outputs.File{{Flag: "model", Name: f.model}, {Flag: "features", Name: f.features}, {Flag: "points", Name: f.points}, {Flag: "edges", Name: f.source.Edges}}
	if err := outputs.With(std, inputs, []outputs.File{{Flag: "out", Name: f.out}, {Flag: "report", Name: f.report}}, func(out *outputs.Set) error {
		return f.predict(ctx, std, out, r)
	}); err != nil {
		return err
	}
	if f.quiet {
		return nil
	}
	return r.print(std.Err)
}

func (f *flags) predict(ctx context.Context, std streams.Stdio, out *outputs.Set, r *Report) error {
	clock := clock.New()
	m, err := points.ReadModel(f.model, std)
	if err != nil {
		return err
	}
	if err := f.fits(m); err != nil {
		return err
	}
	edges, err := f.readEdges(std, m)
	if err != nil {
		return err
	}
	for _, to := range []outputs.File{{Flag: "out", Name: f.out}, {Flag: "report", Name: f.report}} { // outputs.With compares only files of flags
		if f.features == "" && m.Joins != nil && outputs.Same(outputs.File{Flag: "", Name: m.Features.File}.Stat(std), to.Stat(std)) {
			return usage.Errorf("--%s %s is the file of the vectors that --model %s is of", to.Flag, to.Name, f.model)
		}
	}
	to := &joiner{m: m, edges: edges, minConfidence: f.minConfidence}
	if m.Joins != nil && f.points != "" {
		if err = f.index(ctx, std, to, r); err != nil {
			return err
		}
		r.Alone = m.Trees
		r.Joins = m.Joins
	} else {
		if to.predictor, err = m.NewPredictor(ctx, diffuse.Features{}, f.threads); err != nil {
			return err
		}
		if m.Features != nil {
			f.match(m.Features, nil)
			r.Dims = m.Features.Dims
		}
	}
	if m.Guess != nil && (f.points != "" || m.Features == nil) {
		r.Alone, r.byEdges = m.Guess.Share, m.Features == nil
	}
	if edges != nil {
		r.Edges = &EdgeReport{}
	}
	if edges != nil && m.Guess != nil && m.Guess.Near != nil {
		r.Near = &NearReport{m.Guess.Near.Share, m.Guess.Near.Blend}
	}
	clock.Lap("load")
	if err := out.Write(f.out, func(w io.Writer) error { return f.label(ctx, std, w, to, r) }); err != nil {
		return err
	}
	clock.Lap("predict")
	if edges != nil {
		edges.count(r.Points, r.Edges)
	}
	r.warn(to.ranges, f.options.Titles)
	r.Seconds, r.PeakBytes = clock.Seconds, machine.PeakResident()
	r.PerSecond = float64(r.Points) / max(clock.Seconds["predict"], 1e-9)
	return report.WriteJSON(out, f.report, r)
}

// fits refuses what a model is not for.
func (f *flags) fits(m *model.Model) error {
	of, _ := format.ByName(f.out)
	switch {
	case m.Several && m.Labels == nil:
		return usage.Errorf("--model %s is of run --multilabel by a version that did not keep which labels a point has; make it again", f.model)
	case m.Several && f.proba && of != format.NPZ:
		return usage.Errorf("--model %s is of run --multilabel: --proba is written to .npz then, and --out is %s", f.model, f.out)
	case m.Several && f.minConfidence > 0:
		return usage.Errorf("--model %s is of run --multilabel: --min-confidence is for one label a point", f.model)
	case f.points == "" || m.Joins != nil || m.Guess != nil && m.Features != nil:
		return nil
	case m.Features == nil && m.Edges != nil:
		return usage.Errorf("--model %s is of edges, and has nothing to join --points by; new points need --edges FILE without --points", f.model)
	}
	return usage.Errorf("--model %s is of a graph that was not made of feature vectors by nearest neighbours; new points cannot be joined to it", f.model)
}

// index reads the vectors of the model, and prepares them for new points.
func (f *flags) index(ctx context.Context, std streams.Stdio, to *joiner, r *Report) (err error) {
	var x *vecs.Features
	m := to.m
	of := m.Features
	r.Features = of.File
	if f.features != "" {
		r.Features = f.features
	}
	if r.Features == "-" && f.features == "" {
		return usage.Errorf("the vectors of the run came from its standard input; say where they are: --features FILE")
	}
	err = inputs.Read(r.Features, std, func(in io.Reader, name string, size int64) (err error) {
		opt := points.OptionsOf(of)
		opt.Comments = f.comments.Prefixes
		x, err = points.ReadPoints(in, name, size, opt)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) && f.features == "" {
		return fmt.Errorf("%w: %s names it as the vectors of its run; say where they are from here: --features FILE", err, f.model)
	}
	if err != nil {
		return err
	}
	own := diffuse.Features{Dense: x.Dense, Sparse: x.Sparse}
	if to.predictor, err = m.NewPredictor(ctx, own, f.threads); err != nil {
		return fmt.Errorf("%s: %w", r.Features, err)
	}
	f.match(of, x)
	f.options.ZeroBased = x.Notes.Count(notes.ZeroBased) > 0 // few points may have no index 0
	r.Stored, r.Dims = x.Rows(), x.Dims()
	to.ranges = m.Ranges(own)
	return nil
}

// match sets the columns of the new points: by title as those of the model, or of the vectors x of its
// run, where both have titles, else by position. Columns that were no features in the run are none
// here.
func (f *flags) match(of *model.Features, x *vecs.Features) {
	o := &f.options
	o.IDColumn, o.Columns, o.Without, o.Known, o.Means = f.pick.ID, f.pick.Only, f.pick.Drop, points.KnownOf(of), of.Means
	var left []string
	if o.Titles = of.Titles; x != nil {
		left = x.Left
		if o.Titles == nil {
			o.Titles = x.Titles // the model is of a version without titles
		}
	}
	features := map[string]bool{}
	for _, title := range o.Titles {
		features[title] = true
	}
	o.Optional = slices.DeleteFunc(slices.Concat(of.Without, of.Drop), func(column string) bool {
		_, err := strconv.Atoi(column)
		return err == nil // its number may be of another column here
	})
	o.Optional = slices.DeleteFunc(append(o.Optional, left...), func(title string) bool { return features[title] })
}

// rows are the labels of points that come in blocks.
type rows interface {
	Add(result *adp.Result, points *ids.Table, from int) error
	Flush() error
}

// writer returns what writes rows to --out.
func (f *flags) writer(w io.Writer, m *model.Model) (rows, error) {
	of, _ := format.ByName(f.out)
	switch {
	case of == format.NPZ && m.Labels != nil:
		return setArrays{labelnpz.NewSetWriter(w, m.Classes, f.proba), m.Labels}, nil
	case of == format.NPZ:
		return labelnpz.NewWriter(w, m.Classes, f.proba), nil
	case of == format.Parquet:
		to := labelparquet.NewWriter(w, m.Classes)
		if m.Labels != nil {
			return setRows{to, m}, nil
		}
		return to, nil
	}
	to, err := labelfile.NewWriter(w, m.Classes, labelfile.Table{Comma: format.Commas(f.out), Guard: f.guard, Proba: f.proba})
	if m.Labels != nil && err == nil {
		return setRows{to, m}, nil
	}
	return to, err
}

// setRows writes a row for each label of each point.
type setRows struct {
	table
	m *model.Model
}

// table takes rows, of which a point may have several.
type table interface {
	AddPredictions(all iter.Seq[labelfile.Prediction]) error
	Flush() error
}

func (s setRows) Add(result *adp.Result, points *ids.Table, from int) error {
	return s.AddPredictions(labelfile.MultiPredictions(result, s.m.Labels.Of(result.F), nil, points, from, s.m.Classes))
}

// setArrays writes the same as arrays.
type setArrays struct {
	*labelnpz.SetWriter
	rule *multilabel.Rule
}

func (s setArrays) Add(result *adp.Result, points *ids.Table, from int) error {
	s.SetWriter.Add(result, s.rule.Of(result.F), nil, points, from)
	return nil
}

// label labels the points block by block.
func (f *flags) label(ctx context.Context, std streams.Stdio, w io.Writer, join *joiner, r *Report) error {
	to, err := f.writer(w, join.m)
	if err != nil {
		return err
	}
	// block labels the points of the features x, which have the names from first on.
	block := func(x diffuse.Features, names *ids.Table, first, count int) error {
		result, err := join.predict(ctx, x, names, first, count, r.Edges)
		if err != nil {
			return err
		}
		if join.ranges != nil {
			join.ranges.Add(x)
		}
		r.add(result, join.m)
		return to.Add(result, names, first)
	}
	if f.points == "" {
		names, err := join.edges.others()
		if err != nil {
			return err
		}
		for first := 0; first < names.Len(); first += f.block {
			if err := block(diffuse.Features{}, names, first, min(f.block, names.Len()-first)); err != nil {
				return err
			}
		}
		return to.Flush()
	}
	err = inputs.Read(f.points, std, func(in io.Reader, name string, size int64) error {
		return points.PointBlocks(in, name, size, f.options, f.block, func(first int, x *vecs.Features) error {
			if first == 0 {
				r.Notes = x.Notes.Reword(exits.AsFlags.Replace)
			}
			if join.ranges != nil && x.Notes.Count(notes.ZeroBased) > 0 && !f.options.ZeroBased {
				return &lines.Error{File: name, Msg: "an index 0, expected indices from 1 on, as in " + r.Features}
			}
			names, at := x.IDs, first
			if names == nil {
				if names, at, err = join.edges.names(first, x.Rows()); err != nil {
					return err
				}
			}
			if x.Sparse != nil && points.IsSVM(f.points, f.options.Format) {
				x.Sparse = widened(x.Sparse, r.Dims)
			}
			switch err := block(diffuse.Features{Dense: x.Dense, Sparse: x.Sparse}, names, at, x.Rows()); {
			case errors.Is(err, labelfile.ErrName):
				return fmt.Errorf("%s: a point's %w; it is for --out %s", name, err, f.out)
			case errors.Is(err, knn.ErrFeatures) || errors.Is(err, diffuse.ErrFeatures):
				return fmt.Errorf("%s, points from %d: %w", name, first, err)
			default:
				return err
			}
		})
	})
	if err != nil {
		return err
	}
	return to.Flush()
}

// widened gives a matrix empty columns at its end, up to d of them: in libsvm's format the last columns
// that are all 0 do not show.
func widened(m *csr.Matrix, d int) *csr.Matrix {
	if n, cols := m.Dims(); cols < d {
		indptr, indices, data := m.Arrays()
		if wide, err := csr.New(n, d, indptr, indices, data); err == nil {
			return wide
		}
	}
	return m
}

func (r *Report) add(result *adp.Result, m *model.Model) {
	r.Points += len(result.Status)
	for _, status := range result.Status {
		r.Status[status.String()]++
	}
	if r.several = m.Labels != nil; r.several {
		sets := m.Labels.Of(result.F)
		for i := range result.Status {
			for _, label := range sets.Of(i) {
				r.Labels[m.Classes[label.Class]]++
			}
		}
		return
	}
	for _, label := range result.Labels {
		if label >= 0 {
			r.Labels[m.Classes[label]]++
		}
	}
}

func (r *Report) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if r.Joins != nil {
		fmt.Fprintf(t, "model\t%s: %s vectors of %s dimensions\n", streams.Clean(r.Model), figures.Count(r.Stored), figures.Count(r.Dims))
		fmt.Fprintf(t, "points\t%s, each joined to %d neighbours by %v, %v weights\n", figures.Count(r.Points), r.Joins.K, r.Joins.RankedBy(), r.Joins.Weighting)
	} else {
		fmt.Fprintf(t, "model\t%s\n", streams.Clean(r.Model))
		fmt.Fprintf(t, "points\t%s\n", figures.Count(r.Points))
	}
	switch {
	case r.Alone > 0 && r.byEdges:
		fmt.Fprintf(t, "regression\t%.2f of the answer of a point that has edges, by the nodes that it is joined to\n", r.Alone)
	case r.Near != nil:
		fmt.Fprintf(t, "by features\t%.2f of the answer of a point that has edges; neighbours' features take part in %.2f of it\n", r.Near.Features, r.Near.Neighbours)
		fmt.Fprintf(t, "features alone\t%.2f of the answer of a point that has neighbours and no edges\n", r.Alone)
	case r.Alone > 0:
		fmt.Fprintf(t, "features alone\t%.2f of the answer of a point that has neighbours\n", r.Alone)
	}
	if e := r.Edges; e != nil {
		fmt.Fprintf(t, "edges\t%s used; %s of the points have none\n", figures.Count(e.Used), figures.Count(e.Without))
		fmt.Fprintf(t, "edges not used\t%s between new points, %s between nodes of the run, %s of unknown nodes\n", figures.Count(e.BetweenNew), figures.Count(e.BetweenOld), figures.Count(e.Unknown))
	}
	if len(r.Notes) > 0 {
		fmt.Fprintf(t, "read\tpoints: %s\n", streams.Clean(r.Notes.String()))
	}
	if r.several {
		all := 0
		for _, count := range r.Labels {
			all += count
		}
		fmt.Fprintf(t, "labels\t%s, %.1f a point in the mean\n", figures.Count(all), float64(all)/float64(max(r.Points, 1)))
	}
	fmt.Fprintf(t, "by status\t%s\n", report.StatusLine(r.Status))
	fmt.Fprintf(t, "time\t%.2f s: load %.2f, predict %.2f, %s points a second\n", r.Seconds["total"], r.Seconds["load"], r.Seconds["predict"], figures.Count(int(r.PerSecond)))
	fmt.Fprintf(t, "memory\t%s peak\n", figures.Bytes(r.PeakBytes))
	if err := t.Flush(); err != nil {
		return err
	}
	r.Warnings.Print(w)
	return nil
}

// warn collects the warnings once all points are known; ranges are nil where points have no neighbours.
func (r *Report) warn(ranges *model.Ranges, titles []string) {
	r.Warnings = report.Warnings{}
	r.Warnings.AddNotes("points", r.Notes)
	if ranges != nil {
		r.Warnings.AddFar(ranges.Far(), titles)
	}
	if r.Edges != nil {
		r.Warnings.AddRead(r.Edges.read)
		r.Warnings.AddNotes("edges", r.Edges.Notes)
	}
}
