package gen

import "fmt"

// PlantedPartition returns a graph of n nodes in c classes, with weights of 1,
// in which a pair is an edge with probability pin inside a class and pout
// between two, and the class of each node: class[i] = i mod c, so that classes
// differ in size by at most one and are not ranges of nodes.
func PlantedPartition(n, c int, pin, pout float64, seed uint64) (src, dst []uint32, weight []float32, class []int) {
	checkProbability("pin", pin)
	checkProbability("pout", pout)
	if c < 1 {
		panic(fmt.Sprintf("gen: %d classes", c))
	}
	class = make([]int, n)
	for i := range class {
		class[i] = i % c
	}
	l := newList(seed, 0)
	for i := range n {
		for j := i + 1; j < n; j++ {
			p := pout
			if class[i] == class[j] {
				p = pin
			}
			if l.happens(p) {
				l.add(i, j)
			}
		}
	}
	return l.src, l.dst, l.weight, class
}
