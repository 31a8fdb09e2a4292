package crossval

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/adp-sparse/adp-sparse/diffuse"
)

// The folds by which package adp and those above it choose: the seeds are dealt to ChoiceFolds folds,
// in an order that ChoiceSeed makes. Graphs, class priors and methods are so judged on the same seeds.
const (
	ChoiceFolds = 4
	ChoiceSeed  = 2
)

// Plenty returns how many left-out seeds of c classes end the folds of a choice where these are costly and give no more than weights to a
// mixture (docs/decisions/0043-cheaper-folds.md).
func Plenty(c int) int { return max(100, 5*c) }

// Folds hides the seeds in turn. It yields up to v pairs: the seeds to train on, and the seeds
// hidden from them. Every seed that can be hidden is hidden once. v < 2 panics.
//
// The classes take turns in the order of their first seeds, so that other names of the classes make
// the same folds. The t-th is shuffled by a PCG of (seed, t) and dealt out, starting with the fold
// after the last one of the class before. So the folds hide equally many seeds of each class, and of
// all classes, to within one. A class keeps at least one training seed in every fold: the only seed of
// a class is never hidden. Nor is a node with seeds in several classes, for which no single
// prediction is right, but where these are its labels (y.Sets): then all of them are hidden together, the node is dealt with those of
// its class that has the fewest seeds, and the folds hide about equally many nodes. Folds that would hide nothing are left out. Memory: 24 bytes a seed.
func Folds(y *diffuse.Seeds, v int, seed uint64) iter.Seq2[*diffuse.Seeds, []diffuse.Seed] {
	list := y.List()
	fold := dealSeeds(y, v, seed)
	return func(yield func(*diffuse.Seeds, []diffuse.Seed) bool) {
		for f := range min(v, len(list)) { // the others hide nothing
			var train, hidden []diffuse.Seed
			for k, s := range list {
				if fold[k] == f {
					hidden = append(hidden, s)
				} else {
					train = append(train, s)
				}
			}
			if len(hidden) == 0 {
				continue
			}
			// A subset of valid seeds is valid, and not empty: see dealSeeds.
			part, err := diffuse.NewSeeds(y.Nodes, y.Classes, train)
			if err != nil {
				panic(err)
			}
			part.Sets = y.Sets
			if !yield(part, hidden) {
				return
			}
		}
	}
}

// Check returns a [diffuse.ErrOptions] where [Folds] would panic.
func Check(v int) error {
	if v < 2 {
		return fmt.Errorf("%w: %d folds, expected at least 2", diffuse.ErrOptions, v)
	}
	return nil
}

// dealSeeds returns the fold that hides each seed, -1 for none. Where nodes have sets of labels, those of a node have the same one.
func dealSeeds(y *diffuse.Seeds, v int, seed uint64) []int {
	if v < 2 {
		panic(fmt.Sprintf("crossval: %d folds, at least 2", v))
	}
	list, count := y.List(), y.PerClass()
	fold := slices.Repeat([]int{-1}, len(list))
	nodes := make([][][2]int, y.Classes) // the spans of the seeds of nodes, by class
	var order []uint32                   // the classes that have some, by the first of them
	for from := 0; from < len(list); {
		to, rarest := from+1, list[from].Class
		for ; to < len(list) && list[to].Node == list[from].Node; to++ {
			if class := list[to].Class; count[class] < count[rarest] {
				rarest = class
			}
		}
		if to == from+1 || y.Sets {
			if len(nodes[rarest]) == 0 {
				order = append(order, rarest)
			}
			nodes[rarest] = append(nodes[rarest], [2]int{from, to})
		}
		from = to
	}
	next := 0
	for turn, class := range order {
		members := nodes[class]
		if len(members) < 2 {
			continue
		}
		rng := rand.New(rand.NewPCG(seed, uint64(turn)))
		rng.Shuffle(len(members), func(a, b int) { members[a], members[b] = members[b], members[a] })
		for _, span := range members {
			for k := span[0]; k < span[1]; k++ {
				fold[k] = next % v
			}
			next++
		}
	}
	if y.Sets {
		keepOne(list, fold, y.Classes)
	}
	return fold
}

// keepOne leaves the nodes of a class in training where one fold would hide all of them: nodes that are dealt with other classes may all
// come to the same fold.
func keepOne(list []diffuse.Seed, fold []int, classes int) {
	const none, many = -2, -1
	only := slices.Repeat([]int{none}, classes) // the fold of all seeds of a class
	for k, s := range list {
		switch f := fold[k]; {
		case f < 0 || only[s.Class] >= 0 && only[s.Class] != f:
			only[s.Class] = many
		case only[s.Class] == none:
			only[s.Class] = f
		}
	}
	for k, s := range list {
		if only[s.Class] < 0 || fold[k] < 0 {
			continue
		}
		from := k // the first seed of its node
		for from > 0 && list[from-1].Node == s.Node {
			from--
		}
		for at := from; at < len(list) && list[at].Node == s.Node; at++ {
			fold[at] = -1
		}
	}
}
