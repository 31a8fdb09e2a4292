package queue_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/queue"
)

// TestDrain: nodes come by key, then by number, also those that are put in meanwhile; what is left
// where the loop ends early comes in the next one.
func TestDrain(t *testing.T) {
	type entry struct {
		key  int
		node uint32
	}
	random := rand.New(rand.NewPCG(1, 1))
	var q queue.Queue[int]
	var want, got []entry
	put := func(from int) {
		e := entry{from + random.IntN(8), random.Uint32N(5)}
		q.Push(e.key, e.node)
		want = append(want, e)
	}
	for range 100 {
		put(0)
	}
	for len(got) < 50 {
		for key, node := range q.Drain() {
			if got = append(got, entry{key, node}); len(got)%10 == 0 {
				break
			}
		}
	}
	for key, node := range q.Drain() {
		if got = append(got, entry{key, node}); len(want) < 150 {
			put(key + 1)
		}
	}
	slices.SortFunc(want, func(a, b entry) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.node, b.node)) })
	if !slices.Equal(got, want) {
		t.Errorf("got %v, expected %v", got, want)
	}
}
