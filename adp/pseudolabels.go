package adp

import (
	"cmp"
	"iter"
	"slices"

	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
	"github.com/adp-sparse/adp-sparse/internal/splitmix"
)

// Where no seed can be left out, the trial uses pseudo-labels: nodes on whose label LGC and the
// learned graphs agree. In each fold one node of each class is its seed. The contender that
// recovers more of the labels from there is ahead. If the rounds only separate the classes that the
// given seeds happened to start, they recover fewer labels from other nodes than LGC does.

// pseudoLabels is the number of pseudo-labels of a trial, or eight a class if that is more.
const pseudoLabels = 2048

// pseudoLabel is a node on whose label both contenders agree.
type pseudoLabel struct {
	node uint32 // the caller's number
	seed diffuse.Seed
}

// key orders pseudo-labels in a pseudo-random order that does not depend on the order of the rows.
func (s pseudoLabel) key() uint64 { return splitmix.Number(uint64(s.node)) }

// firstOf returns the first pseudo-labels in the order of their keys.
func firstOf(all []pseudoLabel, most int) []pseudoLabel {
	slices.SortFunc(all, func(a, b pseudoLabel) int { return cmp.Compare(a.key(), b.key()) })
	return all[:min(most, len(all))]
}

// agreed returns up to most pseudo-labels as seeds, in the order of their keys. It reads F of round
// 0 and the mixture.
func (r *run) agreed(most int) []diffuse.Seed {
	var all []pseudoLabel
	node, lo := r.callersNode(), r.own.first()
	for i := range r.labels {
		class := diffuse.TopOf(r.First.Row(i)).Class
		if class < 0 || class != diffuse.TopOf(r.Mix.Sum.Row(i)).Class {
			continue
		}
		all = append(all, pseudoLabel{node(i), diffuse.Seed{Node: uint32(lo + i), Class: uint32(class), Weight: 1}})
		if len(all) == 4*most {
			all = firstOf(all, most)
		}
	}
	all = firstOf(all, most)
	if r.own != nil {
		all = firstOf(dist.GatherAll(r.own.world, all), most)
	}
	seeds := make([]diffuse.Seed, len(all))
	for k, s := range all {
		seeds[k] = s.seed
	}
	return seeds
}

// pseudoFolds returns folds of pseudo-labels. Each fold trains on one of each class and hides all
// of them: the few that it trains on weigh nothing. A class without pseudo-labels keeps its seeds.
func (r *run) pseudoFolds(folds int) iter.Seq2[*diffuse.Seeds, []diffuse.Seed] {
	all := r.agreed(max(pseudoLabels, 8*r.y.Classes))
	members := make([][]diffuse.Seed, r.y.Classes)
	for _, s := range all {
		members[s.Class] = append(members[s.Class], s)
	}
	return func(yield func(*diffuse.Seeds, []diffuse.Seed) bool) {
		if len(all) == 0 {
			return
		}
		for f := range folds {
			var train []diffuse.Seed
			for _, of := range members {
				if len(of) > 0 {
					train = append(train, of[f%len(of)])
				}
			}
			for _, s := range r.y.List() {
				if len(members[s.Class]) == 0 {
					train = append(train, s)
				}
			}
			y, err := diffuse.NewSeeds(r.y.Nodes, r.y.Classes, train)
			if err != nil {
				panic(err) // valid: nodes of one class, and seeds that were valid before
			}
			if !yield(y, all) {
				return
			}
		}
	}
}
