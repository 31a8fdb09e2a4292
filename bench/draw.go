package bench

import (
	"math/rand/v2"

	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Draw returns perClass labelled nodes of each class, drawn without
// replacement: all of a class that has no more. The draw depends on its
// number and the seed alone, so that every method sees the same.
func Draw(truth []int32, classes, perClass int, seed, draw uint64) []diffuse.Seed {
	members := make([][]uint32, classes)
	for i, y := range truth {
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
