package bench

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Draw returns perClass labelled nodes of each class, drawn without
// replacement: all of a class that has no more. The draw depends on its
// number and the seed alone, so that every method sees the same. A truth below 0 is not
// known; one of classes and more panics, and so do fewer than 0 nodes a class.
func Draw(truth []int32, classes, perClass int, seed, draw uint64) []diffuse.Seed {
	if perClass < 0 {
		panic(fmt.Sprintf("bench: %d nodes of each class, expected at least 0", perClass))
	}
	members := make([][]uint32, classes)
	for i, y := range truth {
		if int(y) >= classes {
			panic(fmt.Sprintf("bench: node %d is in class %d, expected below %d", i, y, classes))
		}
		if y >= 0 {
			members[y] = append(members[y], uint32(i))
		}
	}
	rng := rand.New(rand.NewPCG(seed, draw))
	var seeds []diffuse.Seed
	for y, nodes := range members {
		rng.Shuffle(len(nodes), func(a, b int) { nodes[a], nodes[b] = nodes[b], nodes[a] })
		for _, i := range nodes[:min(perClass, len(nodes))] {
			seeds = append(seeds, diffuse.Seed{Node: i, Class: uint32(y), Weight: 1})
		}
	}
	return seeds
}

// DrawAny returns count labelled nodes, drawn without replacement from all with a true label: all of them if there
// are no more. Classes have seeds as they have nodes, and a small class may have none. The draw depends on its number and the
// seed alone. A truth below 0 is not known; fewer than 0 nodes panic.
func DrawAny(truth []int32, count int, seed, draw uint64) []diffuse.Seed {
	if count < 0 {
		panic(fmt.Sprintf("bench: %d nodes, expected at least 0", count))
	}
	var nodes []uint32
	for i, y := range truth {
		if y >= 0 {
			nodes = append(nodes, uint32(i))
		}
	}
	rng := rand.New(rand.NewPCG(seed, draw))
	rng.Shuffle(len(nodes), func(a, b int) { nodes[a], nodes[b] = nodes[b], nodes[a] })
	var seeds []diffuse.Seed
	for _, i := range nodes[:min(count, len(nodes))] {
		seeds = append(seeds, diffuse.Seed{Node: i, Class: uint32(truth[i]), Weight: 1})
	}
	return seeds
}

// Drawn is a draw of labelled nodes of a set.
type Drawn struct {
	Set            string
	Splits         Splits
	PerClass, Draw int
	Graph          *Graph
	Seeds          []diffuse.Seed
	// Tested says which nodes are tested on; nil for all with a true label but the seeds.
	Tested []bool
}

// known returns the classes that have a seed, in order: nobody who labels nodes knows of others.
func (d Drawn) known() (classes []int32) {
	for _, s := range d.Seeds {
		classes = append(classes, int32(s.Class))
	}
	slices.Sort(classes)
	return slices.Compact(classes)
}

// seeds returns the seeds as a method has them: class k is known()[k] of the set.
func (d Drawn) seeds() (*diffuse.Seeds, error) {
	classes, list := d.known(), slices.Clone(d.Seeds)
	for k, s := range list {
		at, _ := slices.BinarySearch(classes, int32(s.Class))
		list[k].Class = uint32(at)
	}
	return diffuse.NewSeeds(len(d.Graph.Truth), len(classes), list)
}

// exclude is the mask of the nodes that are not tested on.
func (d Drawn) exclude() []bool {
	out := make([]bool, len(d.Graph.Truth))
	for i := range d.Tested {
		out[i] = !d.Tested[i]
	}
	for _, s := range d.Seeds {
		out[s.Node] = true
	}
	return out
}

// File returns a name for a file of the draw, SET-LABELS-DRAW.seeds.tsv, with
// the marks of part and kind in SET as dashes, and SET-random-LABELS-DRAW.seeds.tsv where it is from all nodes.
func (d Drawn) File() string {
	set := strings.NewReplacer(":", "-", "@", "-").Replace(d.Set)
	if d.Splits == AtRandom {
		set += "-random"
	}
	return fmt.Sprintf("%s-%d-%d.seeds.tsv", set, d.PerClass, d.Draw)
}

// Write writes the labels of the drawn nodes, `id label` separated by a tab,
// as package adp/labelfile reads them. Where the set is a part (NAME:CLASSES),
// ids count the nodes of the part.
func (d Drawn) Write(w io.Writer) error {
	_, err := w.Write(seedLines(d.Graph, d.Seeds))
	return err
}
