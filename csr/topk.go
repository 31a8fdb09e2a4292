package csr

// TopK keeps the k entries with the largest values of those it is offered.
// Of equal values the smaller column wins, so that the choice does not
// depend on the order of offers. It is a binary heap with the worst entry at
// the root; most offers end at one comparison with it. It belongs to one
// goroutine.
type TopK struct {
	k    int
	cols []uint32
	vals []float32
}

// NewTopK returns an empty selector of k entries.
func NewTopK(k int) *TopK {
	return &TopK{k: k, cols: make([]uint32, 0, k), vals: make([]float32, 0, k)}
}

// Reset empties the selector.
func (t *TopK) Reset() {
	t.cols = t.cols[:0]
	t.vals = t.vals[:0]
}

// Offer considers the entry (col, val).
func (t *TopK) Offer(col uint32, val float32) {
	if len(t.cols) < t.k {
		t.cols = append(t.cols, col)
		t.vals = append(t.vals, val)
		t.up(len(t.cols) - 1)
		return
	}
	if t.k == 0 || val < t.vals[0] || val == t.vals[0] && col > t.cols[0] {
		return
	}
	t.cols[0], t.vals[0] = col, val
	t.down()
}

// Entries returns the kept entries in no special order, valid until the next
// Reset or Offer.
func (t *TopK) Entries() (cols []uint32, vals []float32) { return t.cols, t.vals }

// worse reports whether entry p is dropped before entry q.
func (t *TopK) worse(p, q int) bool {
	if t.vals[p] != t.vals[q] {
		return t.vals[p] < t.vals[q]
	}
	return t.cols[p] > t.cols[q]
}

func (t *TopK) swap(p, q int) {
	t.cols[p], t.cols[q] = t.cols[q], t.cols[p]
	t.vals[p], t.vals[q] = t.vals[q], t.vals[p]
}

func (t *TopK) up(p int) {
	for p > 0 && t.worse(p, (p-1)/2) {
		t.swap(p, (p-1)/2)
		p = (p - 1) / 2
	}
}

func (t *TopK) down() {
	for p := 0; ; {
		q := 2*p + 1
		if q >= len(t.cols) {
			return
		}
		if q+1 < len(t.cols) && t.worse(q+1, q) {
			q++
		}
		if !t.worse(q, p) {
			return
		}
		t.swap(p, q)
		p = q
	}
}

// Least returns the smallest kept value, and whether k entries are kept
// already: then nothing below it is taken any more.
func (t *TopK) Least() (val float32, full bool) {
	if len(t.cols) == 0 || len(t.cols) < t.k {
		return 0, false
	}
	return t.vals[0], true
}
