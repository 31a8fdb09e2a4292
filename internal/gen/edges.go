package gen

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// list collects edges. The weight of each is drawn log-uniform between 1/spread
// and spread, 1 when spread is 0.
type list struct {
	src, dst []uint32
	weight   []float32
	spread   float64
	random   *rand.Rand
}

func newList(seed uint64, spread float64) *list {
	return &list{spread: spread, random: rand.New(rand.NewPCG(seed, 0x6164702d67656e))}
}

func (l *list) add(i, j int) {
	w := 1.0
	if l.spread > 0 {
		w = math.Pow(l.spread, 2*l.random.Float64()-1)
	}
	l.src = append(l.src, uint32(i))
	l.dst = append(l.dst, uint32(j))
	l.weight = append(l.weight, float32(w))
}

// happens draws an event of probability p.
func (l *list) happens(p float64) bool { return l.random.Float64() < p }

func checkProbability(name string, p float64) {
	if !(p >= 0 && p <= 1) {
		panic(fmt.Sprintf("gen: %s is %v, not a probability", name, p))
	}
}
