package demo

import (
	"context"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/score"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// method is a way to label the images.
type method struct{ name, how string }

// The methods, in the order of their rows.
var methods = [...]method{
	{"1-NN", "each image takes the digit of the nearest known one"},
	{"LGC", "labels spread over the graph of neighbours"},
	{"GFHF", "the same, by harmonic functions"},
	{"ADP", "labels spread, and the graph is learned with them"},
}

// The places of methods.
const (
	byNearest = iota
	byLGC
	byGFHF
	byADP
)

// trial is what the methods find from some known images.
type trial struct {
	seeds   *diffuse.Seeds
	near    []int // the known image that is nearest to each
	labels  [len(methods)][]int32
	right   [len(methods)]float64 // share of the images that were not known
	adp     *fit.Result
	unknown int // images
}

// compare labels the images from some known ones by each method, and calls tell after each. ADP is
// what `run` does without flags; LGC and GFHF have the graph that it starts from.
func (d *digits) compare(ctx context.Context, known []diffuse.Seed, tell func(*trial, int)) (*trial, error) {
	t := &trial{near: d.nearest(known)}
	var err error
	if t.seeds, err = diffuse.NewSeeds(len(d.truth), classes, known); err != nil {
		return nil, err
	}
	take := func(k int, labels []int32) {
		t.labels[k] = labels
		t.right[k], t.unknown = score.Accuracy(labels, d.truth, t.seeds.Mask())
		tell(t, k)
	}
	byNear := make([]int32, len(d.truth))
	for i, j := range t.near {
		byNear[i] = d.truth[j]
	}
	take(byNearest, byNear)
	in := fit.Input{Dense: d.pixels, Seeds: t.seeds}
	graph, err := fit.NewGraph(ctx, in, fit.GraphOptions{})
	if err != nil {
		return nil, err
	}
	for _, of := range []struct {
		k      int
		method adp.Method
	}{{byLGC, adp.LGC}, {byGFHF, adp.GFHF}} {
		result, err := fit.Label(ctx, graph.W, t.seeds, fit.Options{Run: adp.Options{Method: of.method}})
		if err != nil {
			return nil, err
		}
		take(of.k, result.Labels)
	}
	if t.adp, err = fit.LabelInput(ctx, in, graph, fit.Options{}); err != nil {
		return nil, err
	}
	take(byADP, t.adp.Labels)
	return t, nil
}

// wrong counts the mistakes of a method.
func (d *digits) wrong(t *trial, k int) (n int) {
	for i, label := range t.labels[k] {
		if label != d.truth[i] {
			n++
		}
	}
	return n
}

// corrected counts the mistakes of LGC that ADP does not make, and those that ADP alone makes.
func (d *digits) corrected(t *trial) (corrected, new int) {
	for i, digit := range d.truth {
		lgc, adp := t.labels[byLGC][i] == digit, t.labels[byADP][i] == digit
		switch {
		case adp && !lgc:
			corrected++
		case lgc && !adp:
			new++
		}
	}
	return corrected, new
}

// examples returns images of different digits that LGC and the nearest known image get wrong and
// ADP right: of each digit the one that ADP is surest of, the surest first.
func (d *digits) examples(t *trial, most int) (images []int) {
	used := [classes]bool{}
	for len(images) < most {
		best := -1
		for i, digit := range d.truth {
			if used[digit] || t.labels[byADP][i] != digit || t.labels[byLGC][i] == digit || t.labels[byNearest][i] == digit {
				continue
			}
			if best < 0 || t.adp.Confidence[i] > t.adp.Confidence[best] {
				best = i
			}
		}
		if best < 0 {
			break
		}
		used[d.truth[best]] = true
		images = append(images, best)
	}
	return images
}
