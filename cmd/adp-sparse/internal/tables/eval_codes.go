package tables

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// classNames returns the names of numbered classes.
func classNames(number map[string]int32) []string {
	names := make([]string, len(number))
	for name, j := range number {
		names[j] = name
	}
	return names
}

// noteAlike notes classes that differ in spelling alone, and reports whether there are any.
func noteAlike(list *notes.List, classes []string) bool {
	alike := labelfile.NoteAlike(list, classes)
	*list = list.Reword(exits.AsFlags.Replace)
	return alike
}

// noteSets is noteCodes where a node has several labels: says are the predicted ones.
func noteSets(list *notes.List, classes []string, known int, says [][]int32) {
	c := codes{classes: classes, known: known}
	for j := range int32(len(classes)) {
		if slices.ContainsFunc(says, func(set []int32) bool { return slices.Contains(set, j) }) {
			c.predicted = append(c.predicted, j)
		}
	}
	_ = noteAlike(list, classes) || c.noteForeign(list)
}

// noteCodes notes true and predicted classes that have other names, or exchanged ones. By y and
// labels, of nodes that are not excluded, -1 is no class. Cost: a step a node, and a sort of the
// pairs of classes that occur.
func noteCodes(list *notes.List, classes []string, known int, y, labels []int32, exclude []bool) {
	if noteAlike(list, classes) {
		return
	}
	both, predicted := map[[2]int32]int{}, map[int32]bool{} // pairs are predicted, true
	for i, j := range labels {
		if j < 0 {
			continue
		}
		predicted[j] = true
		if y[i] >= 0 && !exclude[i] {
			both[[2]int32{j, y[i]}]++
		}
	}
	c := codes{classes: classes, known: known, both: both}
	for j := range int32(len(classes)) {
		if predicted[j] {
			c.predicted = append(c.predicted, j)
		}
	}
	_ = c.noteShift(list) || c.noteForeign(list) || c.noteRenamed(list)
}

// codes are predicted and true classes.
type codes struct {
	classes   []string
	known     int     // the first so many are true ones
	predicted []int32 // in order
	both      map[[2]int32]int
}

// noteShift notes numbers that are off by a constant: 0 to c-1 for 1 to c.
func (c *codes) noteShift(list *notes.List) bool {
	number := make([]int, len(c.classes))
	at := map[int]int32{} // true classes
	for j, name := range c.classes {
		v, err := strconv.Atoi(name)
		if err != nil || strconv.Itoa(v) != name {
			return false
		}
		if number[j] = v; j < c.known {
			at[v] = int32(j)
		}
	}
	if len(c.predicted) < 2 || c.known < 2 {
		return false
	}
	least := func(classes []int32) int {
		return number[slices.MinFunc(classes, func(a, b int32) int { return number[a] - number[b] })]
	}
	from := least(c.predicted)
	shift := slices.Min(number[:c.known]) - from
	right, shifted, foreign := 0, 0, false
	for _, j := range c.predicted {
		to, ok := at[number[j]+shift]
		if !ok {
			return false
		}
		right, shifted = right+c.both[[2]int32{j, j}], shifted+c.both[[2]int32{j, to}]
		foreign = foreign || int(j) >= c.known
	}
	if shift == 0 || !foreign || shifted <= right {
		return false
	}
	list.Doubt(notes.ShiftedLabels, len(c.predicted), 0, fmt.Sprintf("%d for %d", from, from+shift), fmt.Sprintf("scores compare numbers as they are: give both files the same, which differ by %d", max(shift, -shift)))
	return true
}

// noteForeign notes predictions none of which is a true class.
func (c *codes) noteForeign(list *notes.List) bool {
	for _, j := range c.predicted {
		if int(j) < c.known {
			return false
		}
	}
	if len(c.predicted) > 0 {
		list.Doubt(notes.ForeignLabels, len(c.predicted), 0, fmt.Sprintf("%s, of the truth %s", c.classes[c.predicted[0]], c.classes[0]), "no prediction can be right, for classes are compared by name: give both files the same names (NMI and ARI do not look at names)")
	}
	return len(c.predicted) > 0
}

// noteRenamed notes classes each of which is, of most of its nodes, another true one: names that
// were exchanged.
func (c *codes) noteRenamed(list *notes.List) bool {
	const most = 0.8
	to, of, all, best := map[int32]int32{}, map[int32]int{}, 0, 0
	for pair, count := range c.both {
		all += count
		if count > of[pair[0]] || count == of[pair[0]] && pair[1] < to[pair[0]] {
			to[pair[0]], of[pair[0]] = pair[1], count
		}
	}
	taken := map[int32]bool{}
	for j, t := range to {
		if j == t || taken[t] {
			return false
		}
		taken[t] = true
		best += of[j]
	}
	if len(to) < 2 || float64(best) < most*float64(all) {
		return false
	}
	first := slices.MinFunc(c.predicted, func(a, b int32) int { return of[b] - of[a] })
	list.Doubt(notes.RenamedLabels, len(to), 0, fmt.Sprintf("%s for %s", c.classes[first], c.classes[to[first]]), "each stands for one other class: see if the names were exchanged (NMI and ARI do not look at names)")
	return true
}
