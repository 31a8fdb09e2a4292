package labelfile

import (
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// thirds watches the third column of lines without titles, which may hold no weights but the last words of
// labels, as of "Type 2" between blanks, or a number of each class.
type thirds struct {
	no      bool // they are weights
	at      int  // line of the first
	lines   int
	classes map[string]map[int64]int // lines of each class and number
}

// take looks at the next line.
func (w *thirds) take(fields [][]byte, line int) {
	const most = 100 // numbers of classes are small
	if w.no || len(fields) < 3 {
		return
	}
	v, ok := ids.Plain(fields[2])
	if !ok || v < 0 || v > most {
		w.no, w.classes = true, nil
		return
	}
	if w.lines++; w.lines == 1 {
		w.at, w.classes = line, map[string]map[int64]int{}
	}
	class := string(fields[1])
	if w.classes[class] == nil {
		w.classes[class] = map[int64]int{}
	}
	w.classes[class][v]++
}

// end notes them. Between blanks a class has several numbers, and a pair of both has two lines or more in the mean. Or
// each class has two lines or more and a number of its own, 0 to the number of classes.
func (w *thirds) end(c *Collector, blanks bool) {
	if w.no || c.titled || w.lines == 0 {
		return
	}
	pairs, own, classOf := 0, len(w.classes) > 1, map[int64]bool{}
	for _, numbers := range w.classes {
		pairs += len(numbers)
		for v, lines := range numbers {
			own = own && lines > 1 && !classOf[v] && v <= int64(len(w.classes))
			classOf[v] = true
		}
	}
	const tabs = "if labels are of two words, write tabs or commas between the columns"
	switch {
	case pairs > len(w.classes):
		if blanks && 2*pairs <= w.lines {
			c.out.Notes.Doubt(notes.WordWeights, w.lines, w.at, "", tabs)
		}
	case own && blanks:
		c.out.Notes.Doubt(notes.CodeWeights, w.lines, w.at, "", "if they are numbers of the classes, leave their column out; "+tabs)
	case own:
		c.out.Notes.Doubt(notes.CodeWeights, w.lines, w.at, "", "if they are numbers of the classes, leave their column out")
	}
}
