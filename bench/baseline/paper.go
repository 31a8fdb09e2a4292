package baseline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/score"
	"github.com/adp-sparse/adp-sparse/bench"
)

// Paper is the paper's experiment: every method on every set, with the same
// draws of labelled points for all.
type Paper struct {
	Dir     string // folder of the sets
	Sets    []Set
	Methods []Method
	Draws   int
	Seed    uint64
	Threads int // zero means GOMAXPROCS
	// Row is called for each finished row, Skipped for each set that is not
	// in the folder, with the reason, Known after each row and each set with
	// all that is known so far; all may be nil.
	Row     func(Row)
	Skipped func(Set, error)
	Known   func(*Outcome) error
}

// Row is a method on a set: a cell for each number of labels.
type Row struct {
	Set    Set
	Method Method
	Cells  []bench.Cell
	// Seconds is the wall time of all draws, with what a method makes once
	// for a set; W itself, which all are given, is not counted. CPU is the
	// processor time of the same, which other programs do not change.
	Seconds, CPU float64
}

// Outcome is what [Paper.Run] found.
type Outcome struct {
	Rows   []Row
	Traces []bench.RoundRecord // of ADP and ADP1: what figure 1 draws
}

// Run does the experiment. Errors of a set's files or of a method end it; a
// set without files is skipped.
func (e Paper) Run(ctx context.Context) (*Outcome, error) {
	out := &Outcome{}
	for _, set := range e.Sets {
		l, err := set.load(ctx, e.Dir, e.Threads)
		if errors.Is(err, ErrMissing) {
			if e.Skipped != nil {
				e.Skipped(set, err)
			}
			continue
		}
		if err != nil {
			return out, fmt.Errorf("set %s: %w", set.Name, err)
		}
		for _, m := range e.Methods {
			row, err := e.row(ctx, set, l, m)
			if err != nil {
				return out, fmt.Errorf("set %s, method %s: %w", set.Name, m.Name, err)
			}
			out.Rows = append(out.Rows, row)
			if e.Row != nil {
				e.Row(row)
			}
			if err := e.known(out); err != nil {
				return out, err
			}
		}
		traces, err := e.trace(ctx, set, l)
		if err != nil {
			return out, fmt.Errorf("set %s: %w", set.Name, err)
		}
		out.Traces = append(out.Traces, traces...)
		if err := e.known(out); err != nil {
			return out, err
		}
	}
	return out, nil
}

func (e Paper) known(out *Outcome) error {
	if e.Known == nil {
		return nil
	}
	return e.Known(out)
}

func (e Paper) row(ctx context.Context, set Set, l *loaded, m Method) (Row, error) {
	row := Row{Set: set, Method: m}
	for _, perClass := range set.PerClass {
		cell := bench.Cell{Set: set.Name, Method: m.Name, PerClass: perClass}
		draws := e.Draws
		if perClass == 0 {
			draws = 1
		}
		for draw := range draws {
			seeds, exclude, err := l.draw(perClass, e.Seed, uint64(draw))
			if err != nil {
				return row, err
			}
			start, cpu := time.Now(), bench.CPUTime()
			found, err := m.Label(ctx, &Problem{Data: l.Data, Seeds: seeds})
			row.Seconds += time.Since(start).Seconds()
			row.CPU += (bench.CPUTime() - cpu).Seconds()
			if err != nil {
				return row, err
			}
			share, _ := score.Accuracy(found, l.truth, exclude)
			cell.Accuracy = append(cell.Accuracy, share)
		}
		row.Cells = append(row.Cells, cell)
	}
	return row, nil
}

// trace runs ADP and ADP1 for 50 rounds on the first draw, if they are among
// the methods: the data of figure 1, for the sets of table 1.
func (e Paper) trace(ctx context.Context, set Set, l *loaded) ([]bench.RoundRecord, error) {
	if set.Table != 1 {
		return nil, nil
	}
	var traces []bench.RoundRecord
	for _, m := range e.Methods {
		opt := adp.Options{Rounds: 50, Select: adp.None, MinChange: -1, Beta: 1e-12, Threads: e.Threads}
		switch m.Name {
		case "ADP":
		case "ADP1":
			opt.Method = adp.ADP1
		default:
			continue
		}
		perClass := set.PerClass[0]
		seeds, exclude, err := l.draw(perClass, e.Seed, 0)
		if err != nil {
			return nil, err
		}
		opt.Observer = func(r adp.Round) {
			share, _ := score.Accuracy(r.Labels, l.truth, exclude)
			r.Labels = nil
			traces = append(traces, bench.RoundRecord{Set: set.Name, Method: m.Name, PerClass: perClass, Round: r, Nodes: l.N(), Accuracy: share})
		}
		first := len(traces)
		result, err := adp.Run(ctx, l.W, seeds, opt)
		if err != nil {
			return nil, err
		}
		traces[first+result.Chosen].Chosen = true
	}
	return traces, nil
}

// WriteTable writes the sets of a table as Markdown: a row a method, ours
// beside the paper's figure, accuracy in percent on the points without a
// given label.
func (o *Outcome) WriteTable(w io.Writer, table int) error {
	for _, rows := range o.sets(func(s Set) bool { return s.Table == table }) {
		set := rows[0].Set
		if _, err := fmt.Fprintf(w, "## %s\n\nDraws: %d. %s.\n\n", set.Name, len(rows[0].Cells[0].Accuracy), upper(set.Note)); err != nil {
			return err
		}
		header := []string{"method", "kind"}
		for _, perClass := range set.PerClass {
			delta := fmt.Sprintf("δ=%d", perClass)
			if perClass == 0 {
				delta = "published split"
			}
			header = append(header, delta, "paper")
		}
		t := bench.NewTable(append(header, "seconds", "of a processor", "where it may differ")...)
		var notes []string
		for _, r := range rows {
			name := r.Method.Name
			if r.Method.Assumed != "" {
				name += " †"
				notes = append(notes, fmt.Sprintf("- %s (%s): %s.", r.Method.Name, r.Method.Reference, r.Method.Assumed))
			}
			line := []string{name, string(r.Method.Kind)}
			for _, c := range r.Cells {
				mean, sd := c.Mean()
				line = append(line, fmt.Sprintf("%.2f±%.2f", 100*mean, 100*sd), figure(set, r.Method.Name, c.PerClass))
			}
			t.Add(append(line, fmt.Sprintf("%.1f", r.Seconds), fmt.Sprintf("%.1f", r.CPU), reason(set, r.Method))...)
		}
		if err := t.Write(w); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "\n† Assumed where the published texts do not suffice:\n\n%s\n\n", strings.Join(notes, "\n")); err != nil {
			return err
		}
	}
	return nil
}

func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// sets groups the rows by set.
func (o *Outcome) sets(want func(Set) bool) [][]Row {
	var groups [][]Row
	for _, r := range o.Rows {
		if !want(r.Set) {
			continue
		}
		if k := len(groups) - 1; k >= 0 && groups[k][0].Set.Name == r.Set.Name {
			groups[k] = append(groups[k], r)
		} else {
			groups = append(groups, []Row{r})
		}
	}
	return groups
}

// WriteTableCSV writes a line for each cell of a table.
func (o *Outcome) WriteTableCSV(w io.Writer, table int) error {
	if _, err := fmt.Fprintln(w, "set,labels,method,kind,mean,sd,paper,row_seconds,row_cpu_seconds,assumed"); err != nil {
		return err
	}
	for _, r := range o.Rows {
		if r.Set.Table != table {
			continue
		}
		for _, c := range r.Cells {
			mean, sd := c.Mean()
			paper := strings.ReplaceAll(figure(r.Set, r.Method.Name, c.PerClass), "–", "")
			if _, err := fmt.Fprintf(w, "%s,%d,%s,%s,%.4f,%.4f,%s,%.2f,%.2f,%t\n", c.Set, c.PerClass, c.Method, r.Method.Kind, 100*mean, 100*sd, paper, r.Seconds, r.CPU, r.Method.Assumed != ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// WriteFigure1 writes the rounds of ADP and ADP1 as csv.
func (o *Outcome) WriteFigure1(w io.Writer) error {
	if _, err := fmt.Fprintln(w, "set,labels,method,round,delta_f,changed,largest_class,accuracy"); err != nil {
		return err
	}
	for _, t := range o.Traces {
		if _, err := fmt.Fprintf(w, "%s,%d,%s,%d,%.6g,%d,%.4f,%.4f\n", t.Set, t.PerClass, t.Method, t.Index, t.DeltaF, t.Changed, t.Largest, t.Accuracy); err != nil {
			return err
		}
	}
	return nil
}

// Figure2 returns the cells of figure 2: accuracy against the labels a class,
// of the methods of propagation and of ADP. The paper draws it for CMU-PIE,
// Texture25 and MPEG7, which are there if their files are; so are the sets of
// its tables, but for published splits.
func (o *Outcome) Figure2() (cells []bench.Cell) {
	for _, r := range o.Rows {
		if r.Set.PerClass[0] > 0 && (r.Method.Kind == Propagation || r.Method.Kind == Alternating) {
			cells = append(cells, r.Cells...)
		}
	}
	return cells
}

// WriteFigure2 writes the cells of figure 2 as csv.
func (o *Outcome) WriteFigure2(w io.Writer) error {
	if _, err := fmt.Fprintln(w, "set,labels,method,mean,sd"); err != nil {
		return err
	}
	for _, c := range o.Figure2() {
		mean, sd := c.Mean()
		if _, err := fmt.Fprintf(w, "%s,%d,%s,%.4f,%.4f\n", c.Set, c.PerClass, c.Method, 100*mean, 100*sd); err != nil {
			return err
		}
	}
	return nil
}

// WriteDraws writes a line for every draw of every cell.
func (o *Outcome) WriteDraws(w io.Writer) error {
	var cells []bench.Cell
	for _, r := range o.Rows {
		cells = append(cells, r.Cells...)
	}
	return bench.WriteCSV(w, cells)
}
