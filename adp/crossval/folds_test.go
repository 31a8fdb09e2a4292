package crossval

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/internal/planted"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// TestFolds: every seed that can be hidden is hidden once, training and
// hidden seeds are the seeds, classes and folds are balanced to within one,
// and no class is ever without a seed in training.
func TestFolds(t *testing.T) {
	for _, counts := range [][]int{{1, 1}, {1, 2}, {2, 3, 7}, {5, 5, 5, 1}, {40, 3, 0, 11}, {2}} {
		var list []diffuse.Seed
		for class, count := range counts {
			for range count {
				list = append(list, diffuse.Seed{Node: uint32(2 * len(list)), Class: uint32(class), Weight: 0.5})
			}
		}
		n := 2*len(list) + 2
		soft := len(list) // the last node is in two classes where there are two
		list = append(list, diffuse.Seed{Node: uint32(n - 1), Class: 0, Weight: 1})
		if len(counts) > 1 {
			list = append(list, diffuse.Seed{Node: uint32(n - 1), Class: 1, Weight: 1})
		} else {
			counts[0]++
			soft = -1
		}
		y, err := diffuse.NewSeeds(n, len(counts), list)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []int{2, 3, 5, 100, 1 << 40} {
			name := fmt.Sprintf("%v in %d folds", counts, v)
			times := map[diffuse.Seed]int{}
			var sizes []int
			for train, hidden := range Folds(y, v, 7) {
				sizes = append(sizes, len(hidden))
				both := append(slices.Clone(hidden), train.List()...)
				whole, err := diffuse.NewSeeds(n, len(counts), both)
				if err != nil || !slices.Equal(whole.List(), y.List()) || train.Nodes != n || train.Classes != len(counts) {
					t.Fatalf("%s: %d hidden and %d in training are not the %d seeds (%v)", name, len(hidden), len(train.List()), len(list), err)
				}
				kept := make([]int, len(counts))
				for _, s := range train.List() {
					kept[s.Class]++
				}
				hides := make([]int, len(counts))
				for _, s := range hidden {
					times[s]++
					hides[s.Class]++
					if soft >= 0 && s.Node == uint32(n-1) {
						t.Errorf("%s: hides a node in two classes", name)
					}
				}
				for class, count := range counts {
					if count > 0 && kept[class] == 0 || hides[class] > (count+v-1)/v {
						t.Errorf("%s: of class %d hides %d and keeps %d", name, class, hides[class], kept[class])
					}
				}
			}
			want := 0
			for _, count := range counts {
				if count > 1 {
					want += count
				}
			}
			if len(times) != want || len(sizes) != min(v, want) {
				t.Errorf("%s: %d seeds hidden in %d folds, want %d", name, len(times), len(sizes), want)
			}
			for s, k := range times {
				if k != 1 {
					t.Errorf("%s: seed %v hidden %d times", name, s, k)
				}
			}
			if len(sizes) > 0 && slices.Max(sizes)-slices.Min(sizes) > 1 {
				t.Errorf("%s: folds of %v", name, sizes)
			}
		}
	}
}

// TestFoldsDependOnTheSeed alone, and a caller may stop early.
func TestFoldsDependOnTheSeed(t *testing.T) {
	_, y := planted.Graph(t, 300, 3, 20, 1)
	first := func(seed uint64) []diffuse.Seed {
		for _, hidden := range Folds(y, 5, seed) {
			return hidden
		}
		return nil
	}
	if !slices.Equal(first(1), first(1)) {
		t.Error("two calls hide different seeds")
	}
	if slices.Equal(first(1), first(2)) {
		t.Error("another seed hides the same")
	}
	defer func() {
		if recover() == nil {
			t.Error("one fold does not panic")
		}
	}()
	Folds(y, 1, 1)
}

// TestFoldsOfSets: the seeds of a node are hidden together and once, folds hide about equally many nodes, and every class keeps a seed in
// training.
func TestFoldsOfSets(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n, c := 4+rng.IntN(40), 1+rng.IntN(6)
		var list []diffuse.Seed
		labels := make([]int, n)
		for i := range n {
			for class := range c {
				if rng.IntN(3) == 0 && (class < c-1 || i%11 == 0) {
					list = append(list, diffuse.Seed{Node: uint32(i), Class: uint32(class), Weight: 1})
					labels[i]++
				}
			}
		}
		if len(list) == 0 {
			continue
		}
		y, err := diffuse.NewSeeds(n, c, list)
		if err != nil {
			t.Fatal(err)
		}
		of := y.PerClass()
		for _, v := range []int{2, 4, 7} {
			times, several := make([]int, n), 0
			var sizes []int
			for train, hidden := range Folds(y.AsSets(), v, 7) {
				gone, left := map[uint32]int{}, y.PerClass()
				for _, s := range hidden {
					gone[s.Node]++
					left[s.Class]--
				}
				sizes = append(sizes, len(gone))
				for node, count := range gone {
					times[node]++
					if count != labels[node] {
						t.Errorf("seed %d, %d folds: %d of the %d seeds of node %d are hidden", seed, v, count, labels[node], node)
					}
					if count > 1 {
						several++
					}
				}
				for class, count := range left {
					if of[class] > 0 && count < 1 {
						t.Errorf("seed %d, %d folds: class %d keeps no seed of %d", seed, v, class, of[class])
					}
				}
				if len(train.List())+len(hidden) != len(list) || !slices.Equal(left, train.PerClass()) {
					t.Errorf("seed %d, %d folds: %d seeds in training and %d hidden of %d", seed, v, len(train.List()), len(hidden), len(list))
				}
			}
			once := 0
			for node, k := range times {
				if k > 1 {
					t.Errorf("seed %d, %d folds: node %d is hidden %d times", seed, v, node, k)
				}
				once += k
			}
			// A node stays where a class of it has no other: at most one for each class, and those of a class that one fold would hide.
			if alone := len(list) - once; len(sizes) > 0 && slices.Max(sizes)-slices.Min(sizes) > 1+c || once == 0 && n > 30 && alone > 0 {
				t.Errorf("seed %d, %d folds: hide %v", seed, v, sizes)
			}
			if n > 30 && c > 2 && several == 0 {
				t.Errorf("seed %d, %d folds: no node with several labels is hidden", seed, v)
			}
		}
	}
}

// TestFoldsKeepOne: nodes of a class that are dealt with three other classes may come to one fold, and one of them then stays.
func TestFoldsKeepOne(t *testing.T) {
	// Class 3 is that of nodes 0, 2 and 4, each with the rarer class of the node after it.
	var list []diffuse.Seed
	for i := range 6 {
		list = append(list, diffuse.Seed{Node: uint32(i), Class: uint32(i / 2), Weight: 1})
		if i%2 == 0 {
			list = append(list, diffuse.Seed{Node: uint32(i), Class: 3, Weight: 1})
		}
	}
	y, err := diffuse.NewSeeds(6, 4, list)
	if err != nil {
		t.Fatal(err)
	}
	together := 0
	for seed := range uint64(60) {
		hides := 0
		for train, hidden := range Folds(y.AsSets(), 2, seed) {
			if slices.Contains(train.PerClass(), 0) {
				t.Errorf("seed %d: %v are left of the seeds of each class", seed, train.PerClass())
			}
			hides += len(hidden)
		}
		if hides < len(list) {
			together++
		}
	}
	if together == 0 || together == 60 {
		t.Errorf("nodes stay for %d of 60 seeds: the test says nothing", together)
	}
}
