package edgelist

import (
	"cmp"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// noteTimes notes weights that seem to be times: years, dates or times of Unix, or whole numbers that
// never fall from line to line, as times that count from the first event do.
func (l *List) noteTimes() error {
	if l.given < l.Stats.Edges || len(l.opt.Columns) > 0 {
		return nil
	}
	leave := "if they are times, say " + cmp.Or(l.opening.ends, "edgelist.Options.Columns 1,2") + " to leave them out"
	if lines.TimeLike(l.least, l.scaling.most) {
		l.Notes.Doubt(notes.TimeWeights, l.given, 0, "", leave)
		return nil
	}
	rises, err := l.weightsRise()
	if rises {
		l.Notes.Doubt(notes.TimeWeights, l.given, l.first, "", "they never fall from line to line: "+leave)
	}
	return err
}

// weightsRise reports whether the weights of some hundred lines or more are whole numbers, many of
// them, in ascending order. The header of KONECT says what they are.
func (l *List) weightsRise() (bool, error) {
	const leastLines, leastDifferent = 200, 100
	if l.Stats.Edges < leastLines || l.least == l.scaling.most || l.scaling.needed || l.opening.konect != nil {
		return false, nil
	}
	last, different := float32(-1), 0
	err := l.each(func(e *csr.Edges) bool {
		for k := range e.Src {
			w := float32(1)
			if e.Weight != nil {
				w = e.Weight[k]
			}
			if w < last || w != float32(int64(w)) {
				different = 0
				return false
			}
			if w > last {
				different++
			}
			last = w
		}
		return true
	})
	return different >= leastDifferent, err
}
