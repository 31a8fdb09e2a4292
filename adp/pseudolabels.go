package adp

import (
	"cmp"
	"iter"
	"slices"

	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
)

// Where no seed can be left out, the trial is of pseudo-labels: nodes on whose label LGC
// and the learned graphs agree. In each fold one of each class is its seed, and the
// contender that gives more of them their label from there is ahead. Where rounds
// only pull the classes apart that these seeds happened to start, they find them less
// often from other nodes than LGC does.

// pseudoLabels is the number of pseudo-labels of a trial, or, if that is more, eight a class.
const pseudoLabels = 2048

// pseudoLabel is a node on whose label both contenders agree.
type pseudoLabel struct {
	node uint32 // by the caller's number
	seed diffuse.Seed
}

// key orders pseudo-labels as if at random, the same for every order of the rows: a
// bijection of 64 bits (the finalizer of SplitMix64).
func (s pseudoLabel) key() uint64 {
	x := (uint64(s.node) + 1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// firstOf returns the first pseudo-labels by key, in its order.
func firstOf(all []pseudoLabel, most int) []pseudoLabel {
	slices.SortFunc(all, func(a, b pseudoLabel) int { return cmp.Compare(a.key(), b.key()) })
	return all[:min(most, len(all))]
}

// agreed returns at most so many pseudo-labels as seeds, in the order of their keys. It
// reads F of round 0 and the mixture.
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

// pseudoFolds returns folds of pseudo-labels: seeds that are one of each class, and all
// pseudo-labels, of which those seeds tell nothing. A class without pseudo-labels keeps its seeds.
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
				panic(err) // nodes of one class, and seeds that are valid
			}
			if !yield(y, all) {
				return
			}
		}
	}
}
