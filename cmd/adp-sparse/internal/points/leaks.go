package points

import (
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// noteLeaks notes columns of the features that seem to hold the labels. One whose title says so has a note already.
func noteLeaks(k *opened.Built, in *fit.Input) {
	if k.Notes.Count(notes.LabelTitles) > 0 {
		return
	}
	for _, j := range in.Leaks() {
		out := "leave it out of the file"
		if name := k.FlagName(j + 1); name != "" {
			out = "say --drop-columns " + name
		}
		k.Notes.Doubt(notes.LabelValues, 1, 0, k.ColumnName(j+1), "it has a value for each class: if it holds the labels, which are no features, "+out)
	}
}
