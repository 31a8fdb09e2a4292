package edgejson

import (
	"encoding/json"

	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// keys are what the lines had beside ends and weights.
type keys struct {
	order         []string
	other         map[string]*key
	weights, bare int    // edges with and without
	line          int    // of the first without
	first         string // its ends
}

// key is one that was skipped.
type key struct{ values, numbers, line int }

// mostKeys bounds the keys that are told apart.
const mostKeys = 1 << 10

func (k *keys) skip(name string, value any, line int) {
	of := k.other[name]
	if of == nil {
		if len(k.order) == mostKeys {
			return
		}
		of = &key{line: line}
		k.order, k.other[name] = append(k.order, name), of
	}
	of.values++
	if number, ok := value.(json.Number); ok {
		if _, err := lines.ParseWeight([]byte(number)); err == nil {
			of.numbers++
		}
	}
}

// note counts the keys that were skipped, and the edges without a weight where others have one. Where
// none has, a key of numbers may be the weight by its name.
func (k *keys) note(to *notes.List) {
	if k.weights > 0 && k.bare > 0 {
		to.Doubt(notes.DefaultWeights, k.bare, k.line, k.first, "give each edge a weight")
	}
	for _, name := range k.order {
		if of := k.other[name]; k.weights == 0 && of.values == of.numbers && !lines.NoWeight([]byte(name)) {
			to.Doubt(notes.Attributes, len(k.order), of.line, name, "no edge has a weight: if "+lines.Quote([]byte(name))+" is one, call it \"weight\"")
			return
		}
	}
	if len(k.order) > 0 {
		to.Add(notes.Attributes, len(k.order), k.other[k.order[0]].line, k.order[0])
	}
}
