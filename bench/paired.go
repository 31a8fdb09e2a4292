package bench

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Paired is the difference of two methods on a set with a number of labels a
// class, over the same draws.
type Paired struct {
	Set, Method string
	PerClass    int
	Mean        float64 // of accuracy minus baseline, over the draws
	Half        float64 // half width of its 95 % confidence interval (Student's t)
}

// Differences compares each cell with the one of the first method for the
// same set and labels. Cells come as [Accuracy.Run] returns them.
func Differences(cells []Cell, methods int) []Paired {
	var out []Paired
	for k := 0; k+methods <= len(cells); k += methods {
		base := cells[k]
		for _, c := range cells[k+1 : k+methods] {
			out = append(out, pair(base, c))
		}
	}
	return out
}

func pair(base, c Cell) Paired {
	p := Paired{Set: c.Set, Method: c.Method, PerClass: c.PerClass}
	d := Cell{Accuracy: make([]float64, len(c.Accuracy))}
	for k, v := range c.Accuracy {
		d.Accuracy[k] = v - base.Accuracy[k]
	}
	mean, sd := d.Mean()
	p.Mean = mean
	if n := float64(len(c.Accuracy)); n > 1 {
		t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975)
		p.Half = t * sd / math.Sqrt(n)
	}
	return p
}

// WriteDifferences writes, for each method but the first, its differences to
// the first: a row a set and number of labels, then the means over all rows
// and the numbers of rows whose interval lies above and below 0.
func WriteDifferences(w io.Writer, pairs []Paired, methods []Method) error {
	for k, m := range methods[1:] {
		t := NewTable("set", "labels a class", m.Name+" − "+methods[0].Name, "95 % interval")
		sum, worst, rows, above, below := 0.0, math.Inf(1), 0, 0, 0
		for at := k; at < len(pairs); at += len(methods) - 1 {
			p := pairs[at]
			t.Add(p.Set, labelsText(p.PerClass), fmt.Sprintf("%+.4f", p.Mean), fmt.Sprintf("%+.4f to %+.4f", p.Mean-p.Half, p.Mean+p.Half))
			sum += p.Mean
			worst = min(worst, p.Mean)
			rows++
			if p.Mean-p.Half > 0 {
				above++
			}
			if p.Mean+p.Half < 0 {
				below++
			}
		}
		if err := t.Write(w); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "\nmean %+.4f, worst %+.4f over %d rows; interval above 0 in %d, below 0 in %d\n\n", sum/float64(rows), worst, rows, above, below); err != nil {
			return err
		}
	}
	return nil
}

// WriteCSV writes a line for every draw of every cell.
func WriteCSV(w io.Writer, cells []Cell) error {
	if _, err := fmt.Fprintln(w, "set,labels,method,draw,accuracy"); err != nil {
		return err
	}
	for _, c := range cells {
		for draw, v := range c.Accuracy {
			if _, err := fmt.Fprintf(w, "%s,%d,%s,%d,%.6f\n", c.Set, c.PerClass, c.Method, draw, v); err != nil {
				return err
			}
		}
	}
	return nil
}
