package tables

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/calibrate"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/adp/labelnpz"
	"github.com/adp-sparse/adp-sparse/adp/labelparquet"
	"github.com/adp-sparse/adp-sparse/adp/multilabel"
	"github.com/adp-sparse/adp-sparse/adp/score"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/source"
	"github.com/adp-sparse/adp-sparse/cmd/internal/inputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// evalFlags are the flags of `eval`.
type evalFlags struct {
	predictions, truth string
	truthHeader, seeds bool
	multi              bool
	columns            labelfile.Columns
	missing, match     []string
	matchBy            labelfile.Match
	comments           format.Comments
	asJSON             bool
}

func NewEval(std streams.Stdio) *cobra.Command {
	f := evalFlags{}
	cmd := &cobra.Command{
		Use:   "eval --predictions FILE --truth FILE",
		Short: "Score the labels of a run against the truth",
		Long: `Accuracy, macro-F1, NMI, ARI, each class's precision and recall, the confusion of
classes (of at most 12; with --json of at most 1000, else confusion_left_out says so),
how well the confidence holds, and what accuracy a least confidence buys. Nodes without a true label and seeds do not count. Nodes that got no
label count as wrong; what the confidence is worth is of nodes with a label alone,
and nodes of equal confidence are never parted.`,
		Example: `  adp-sparse eval --predictions labels.tsv --truth truth.tsv
  adp-sparse eval --predictions labels.parquet --truth table.csv --label-column species --json
  adp-sparse eval --predictions labels.tsv --truth topics.tsv --multilabel`,
		Args: usage.NoArgs,
		RunE: func(*cobra.Command, []string) error { return f.run(std) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.predictions, "predictions", "", "labels that run wrote: text, .parquet or .npz")
	flags.StringVar(&f.truth, "truth", "", "true labels: id label")
	flags.BoolVar(&f.truthHeader, "truth-header", false, "the first data line of the true labels is a header")
	flags.StringVar(&f.columns.Label, "label-column", "", "column of --truth with the labels: its title or number\nOf a csv file with a header, or .parquet.")
	flags.StringVar(&f.columns.ID, "label-id", "", "column of --truth with the node ids (default: the first)")
	source.BindLabelRows(cmd, &f.columns.Rows, "--truth")
	source.BindMissing(cmd, &f.missing)
	f.comments.Bind(cmd, "--truth")
	source.BindMatch(cmd, &f.match)
	flags.BoolVar(&f.multi, "multilabel", false, "nodes may have several labels, a row each\nThe scores are micro- and macro-F1, exact matches and Hamming loss.")
	flags.BoolVar(&f.seeds, "with-seeds", false, "count known labels too")
	flags.BoolVar(&f.asJSON, "json", false, "write JSON")
	return cmd
}

func (f *evalFlags) run(std streams.Stdio) error {
	if f.predictions == "" || f.truth == "" {
		return usage.Errorf("say where the labels and the truth are: --predictions FILE --truth FILE")
	}
	if outputs.IsStandard(f.predictions, "in") && outputs.IsStandard(f.truth, "in") {
		return usage.Errorf("--predictions and --truth are both standard input")
	}
	if err := cmp.Or(f.comments.Check(), source.CheckLabelRows(f.columns)); err != nil {
		return err
	}
	var err error
	if f.matchBy, err = source.ParseMatch(f.match); err != nil {
		return err
	}
	var predicted []labelfile.Prediction
	if err := inputs.Read(f.predictions, std, func(r io.Reader, name string, size int64) (err error) {
		predicted, err = readPredictions(r, name, size)
		return err
	}); err != nil {
		return err
	}
	if f.matchBy != (labelfile.Match{}) {
		for k := range predicted {
			predicted[k].Label = f.matchBy.Name(predicted[k].Label)
		}
	}
	nodes := ids.NewTable()
	for k, p := range predicted {
		if i, err := nodes.Add([]byte(p.Node)); err != nil {
			return err
		} else if int(i) != k && !f.multi {
			return &lines.Error{File: f.predictions, Line: p.Line, Msg: fmt.Sprintf("node %s has a row already; if nodes have several labels, say --multilabel", lines.Quote([]byte(p.Node)))}
		}
	}
	var truth *labelfile.Labels
	if err := inputs.Read(f.truth, std, func(r io.Reader, name string, size int64) (err error) {
		truth, err = source.ReadLabels(r, name, size, nodes, f.columns, labelfile.Options{Header: f.truthHeader, Comments: f.comments.Prefixes, Missing: f.missing, Match: f.matchBy, Of: "the predictions", SkipUnknown: true, Multi: f.multi})
		return err
	}); err != nil {
		return err
	}
	var found report.Warnings
	var spelling notes.List
	nodes.NoteSpelling(&spelling)
	found.AddNotes("predictions", spelling)
	truth.Notes.Add(notes.BlankLabels, truth.Stats.Blank-truth.Notes.Count(notes.NoLabels), 0, "")
	found.AddTruth(truth.Stats)
	source.DoubtTruth(truth, nodes)
	truth.Notes.Drop(notes.SimilarLabels) // those of the predictions are beside them
	found.AddNotes("truth", truth.Notes)
	if f.multi {
		return f.runMulti(std, predicted, nodes, truth, found)
	}
	e := f.evaluate(predicted, truth)
	found.AddNotes("labels", e.names)
	found.Print(std.Err)
	e.Notes, e.Warnings = truth.Notes, found
	if e.Nodes == 0 {
		return &lines.Error{File: f.truth, Msg: fmt.Sprintf("no node of %s has a true label here and is not a seed", f.predictions)}
	}
	if f.asJSON {
		return report.PrintJSON(std.Out, e)
	}
	return e.print(std.Out)
}

// readPredictions reads predictions as text, Parquet or an archive of numpy.
func readPredictions(r io.Reader, name string, size int64) ([]labelfile.Prediction, error) {
	head, r := format.Peek(r, size)
	whole, read := format.WholeParquet, labelparquet.ReadPredictions
	switch {
	case format.Parquet.Is(name, head):
	case format.NPZ.Is(name, head):
		whole, read = format.WholeNPZ, labelnpz.ReadPredictions
	default:
		return labelfile.ReadPredictions(r, name)
	}
	at, size, err := whole(r, name, size)
	if err != nil {
		return nil, err
	}
	return read(at, name, size)
}

// runMulti scores sets of labels.
func (f *evalFlags) runMulti(std streams.Stdio, predicted []labelfile.Prediction, nodes *ids.Table, truth *labelfile.Labels, found report.Warnings) error {
	n := nodes.Len()
	is, says, seed := make([][]int32, n), make([][]int32, n), make([]bool, n)
	classes := map[string]int32{}
	for j, name := range truth.Classes {
		classes[name] = int32(j)
	}
	for _, s := range truth.Seeds {
		is[s.Node] = append(is[s.Node], int32(s.Class))
	}
	for _, p := range predicted {
		i, _ := nodes.Lookup([]byte(p.Node))
		seed[i] = p.Status == adp.Seed.String()
		if p.Label == "" {
			continue
		}
		j, ok := classes[p.Label]
		if !ok { // a label that is no true label
			j = int32(len(classes))
			classes[p.Label] = j
		}
		if slices.Contains(says[i], j) {
			return &lines.Error{File: f.predictions, Line: p.Line, Msg: fmt.Sprintf("node %s has label %s already", lines.Quote([]byte(p.Node)), lines.Quote([]byte(p.Label)))}
		}
		says[i] = append(says[i], j)
	}
	kept := 0
	for i := range n {
		if len(is[i]) > 0 && (f.seeds || !seed[i]) {
			is[kept], says[kept] = is[i], says[i]
			kept++
		}
	}
	if kept == 0 {
		return &lines.Error{File: f.truth, Msg: fmt.Sprintf("no node of %s has a true label here and is not a seed", f.predictions)}
	}
	var list notes.List
	noteSets(&list, classNames(classes), len(truth.Classes), says)
	found.AddNotes("labels", list)
	found.Print(std.Err)
	s := multilabel.Compare(says[:kept], is[:kept], len(classes))
	if f.asJSON {
		return report.PrintJSON(std.Out, struct {
			multilabel.Score
			Warnings report.Warnings `json:"warnings,omitempty"`
		}{s, found})
	}
	t := tabwriter.NewWriter(std.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "nodes scored\t%d\nmicro-F1\t%.4f\nmacro-F1\t%.4f\nexact sets\t%.4f\nHamming loss\t%.4f\nlabels a node\t%.3f\ttruly %.3f\n", s.Nodes, s.MicroF1, s.MacroF1, s.Exact, s.Hamming, s.Predicted, s.True)
	return t.Flush()
}

// Evaluation is what `eval` prints.
type Evaluation struct {
	Nodes    int     `json:"nodes"`    // that were scored
	Seeds    int     `json:"seeds"`    // with a true label, left out
	Unknown  int     `json:"unknown"`  // true labels of nodes that were not predicted
	Unlabel  int     `json:"no_label"` // scored nodes without a label
	Accuracy float64 `json:"accuracy"`
	MacroF1  float64 `json:"macro_f1"`
	NMI      float64 `json:"nmi"`
	ARI      float64 `json:"ari"`

	Classes []evalClass `json:"classes"`
	// Confusion counts nodes by true class (rows) and label, with a last column
	// for none; null, and LeftOut says so, for more than mostWritten classes.
	Confusion [][]int `json:"confusion"`
	LeftOut   string  `json:"confusion_left_out,omitempty"`

	// ECE is the expected calibration error of the confidence, Brier its mean squared error,
	// Reliability the diagram. They and Coverage count scored nodes with a label: others have no
	// confidence.
	ECE         float64         `json:"ece"`
	Brier       float64         `json:"brier"`
	Reliability []calibrate.Bin `json:"reliability"`
	Coverage    []Coverage      `json:"coverage"`

	Notes notes.List `json:"notes,omitempty"` // of the reader of the truth
	// Warnings are about names of classes that do not go together.
	Warnings report.Warnings `json:"warnings,omitempty"`
	names    notes.List
}

type evalClass struct {
	Label     string  `json:"label"`
	Support   int     `json:"nodes"`
	Predicted int     `json:"predicted"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
}

// Coverage is the accuracy of the nodes with at least some confidence.
type Coverage struct {
	Share      float64 `json:"share"` // of the nodes with a label
	Confidence float64 `json:"least_confidence"`
	Accuracy   float64 `json:"accuracy"`
}

func (f *evalFlags) evaluate(predicted []labelfile.Prediction, truth *labelfile.Labels) *Evaluation {
	classes := slices.Clone(truth.Classes)
	number := map[string]int32{"": -1}
	for j, name := range classes {
		number[name] = int32(j)
	}
	y, labels, exclude := make([]int32, len(predicted)), make([]int32, len(predicted)), make([]bool, len(predicted))
	for i, p := range predicted {
		j, ok := number[p.Label]
		if !ok { // a label that is no true label
			j = int32(len(classes))
			number[p.Label] = j
			classes = append(classes, p.Label)
		}
		y[i], labels[i] = -1, j
		exclude[i] = !f.seeds && p.Status == adp.Seed.String()
	}
	heaviest := make([]float32, len(predicted))
	for _, s := range truth.Seeds {
		if s.Weight > heaviest[s.Node] { // as in a run
			y[s.Node], heaviest[s.Node] = int32(s.Class), s.Weight
		}
	}
	m := score.NewConfusion(labels, y, len(classes), exclude)
	e := &Evaluation{
		Nodes: m.Nodes, Unknown: truth.Stats.Unknown,
		Accuracy: m.Accuracy(), MacroF1: m.MacroF1(), NMI: m.NMI(), ARI: m.ARI(),
	}
	if m.C <= MostWritten {
		e.Confusion = m.Table()
	} else {
		e.LeftOut = fmt.Sprintf("of %d classes, more than %d", m.C, MostWritten)
	}
	for j, s := range m.Classes() {
		e.Classes = append(e.Classes, evalClass{classes[j], s.Support, s.Predicted, s.Precision, s.Recall, s.F1})
	}
	e.judgeConfidence(predicted, y, labels, exclude)
	noteCodes(&e.names, classes, len(truth.Classes), y, labels, exclude)
	return e
}

func (e *Evaluation) judgeConfidence(predicted []labelfile.Prediction, y, labels []int32, exclude []bool) {
	var p []float64
	var right []bool
	for i, t := range y {
		switch {
		case t < 0:
		case exclude[i]:
			e.Seeds++
		case labels[i] < 0:
			e.Unlabel++
		default:
			p, right = append(p, predicted[i].Confidence), append(right, labels[i] == t)
		}
	}
	e.Reliability = calibrate.Reliability(p, right)
	e.ECE = calibrate.ECE(e.Reliability)
	// Of equal confidence the right come first: sums do not depend on the order of lines.
	order := rows.InOrder[int](len(p))
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case p[a] > p[b] || p[a] == p[b] && right[a] && !right[b]:
			return -1
		case p[a] < p[b] || right[a] != right[b]:
			return 1
		}
		return 0
	})
	hits := make([]int, len(p)+1) // hits[k] counts the right among the first k
	for at, k := range order {
		outcome := 0
		if right[k] {
			outcome = 1
		}
		hits[at+1] = hits[at] + outcome
		e.Brier += (p[k] - float64(outcome)) * (p[k] - float64(outcome)) / float64(len(p))
	}
	last := 0
	for _, share := range []float64{0.1, 0.25, 0.5, 0.75, 0.9, 1} {
		count := int(share*float64(len(p)) + 0.5)
		for count > 0 && count < len(p) && p[order[count]] == p[order[count-1]] {
			count++
		}
		if count == last {
			continue
		}
		last = count
		e.Coverage = append(e.Coverage, Coverage{float64(count) / float64(len(p)), p[order[count-1]], float64(hits[count]) / float64(count)})
	}
}

// mostClasses is the largest number of classes whose confusion is printed, MostWritten the largest
// in the JSON: a million numbers.
const (
	mostClasses = 12
	MostWritten = 1000
)

// unknown says how many nodes of the truth were not predicted; nothing for none.
func (e *Evaluation) unknown() string {
	if e.Unknown == 0 {
		return ""
	}
	return fmt.Sprintf("; %d true labels of nodes without a row", e.Unknown)
}

func (e *Evaluation) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "nodes scored\t%d\t(%d seeds left out, %d without a label%s)\n", e.Nodes, e.Seeds, e.Unlabel, e.unknown())
	fmt.Fprintf(t, "accuracy\t%.4f\n", e.Accuracy)
	fmt.Fprintf(t, "macro-F1\t%.4f\n", e.MacroF1)
	fmt.Fprintf(t, "NMI\t%.4f\n", e.NMI)
	fmt.Fprintf(t, "ARI\t%.4f\n", e.ARI)
	fmt.Fprintf(t, "confidence\t%.4f\texpected calibration error; Brier score %.4f (of the %d nodes with a label)\n", e.ECE, e.Brier, e.Nodes-e.Unlabel)
	if text := report.NotesText(nil, e.Notes, nil); text != "" {
		fmt.Fprintf(t, "read\t%s, of the truth\n", text)
	}
	fmt.Fprintln(t)
	fmt.Fprintln(t, "label\tnodes\tpredicted\tprecision\trecall\tF1")
	for _, c := range e.Classes {
		fmt.Fprintf(t, "%s\t%d\t%d\t%.3f\t%.3f\t%.3f\n", streams.Shown(c.Label), c.Support, c.Predicted, c.Precision, c.Recall, c.F1)
	}
	if len(e.Classes) <= mostClasses {
		fmt.Fprint(t, "\ntrue \\ label")
		for _, c := range e.Classes {
			fmt.Fprintf(t, "\t%s", streams.Shown(c.Label))
		}
		fmt.Fprintln(t, "\tnone")
		for j, row := range e.Confusion {
			fmt.Fprint(t, streams.Shown(e.Classes[j].Label))
			for _, count := range row {
				fmt.Fprintf(t, "\t%d", count)
			}
			fmt.Fprintln(t)
		}
	} else {
		fmt.Fprintf(t, "\nthe confusion of %d classes is not shown, only that of up to %d; --json has it up to %d\n", len(e.Classes), mostClasses, MostWritten)
	}
	fmt.Fprintln(t, "\nof those with a label\tconfidence from\taccuracy")
	for _, c := range e.Coverage {
		fmt.Fprintf(t, "%.1f %%\t%.4f\t%.4f\n", 100*c.Share, c.Confidence, c.Accuracy)
	}
	return t.Flush()
}
