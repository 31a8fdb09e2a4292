package dist

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// TestRanksHaveWork: otherwise the other tests show nothing. Each of four ranks
// has rows at the border and rows that are not.
func TestRanksHaveWork(t *testing.T) {
	const n = 4*512 + 77
	ring := &csr.Edges{}
	for i := range uint32(n) {
		ring.Src, ring.Dst = append(ring.Src, i, i), append(ring.Dst, (i+1)%n, (i+3)%n)
	}
	m, _, err := csr.FromEdges(n, ring, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	indptr, _, _ := m.Arrays()
	if err := Local(4, func(c Comm) error {
		w := NewWorld(c, Split(indptr, c.Size()))
		lo, hi, _ := w.Rows()
		own := csr.Slice(m, lo, hi)
		g := Normalize(w, own, 1)
		sent, received := g.Halo().Volume()
		if rows, _, own := g.Halo().Rows(); own == 0 || sent == 0 || received == 0 || rows != own+received || !slices.Contains(g.border, true) || !slices.Contains(g.border, false) {
			return fmt.Errorf("rank %d: %d own rows of %d, %d sent, %d received", c.Rank(), own, rows, sent, received)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// TestLostRank: an error in one rank ends the others wherever they wait, and is
// the error of all.
func TestLostRank(t *testing.T) {
	gone := errors.New("gone")
	for name, wait := range map[string]func(c Comm){
		"exchange": func(c Comm) { c.Exchange(make([][]byte, c.Size())) },
		"fold":     func(c Comm) { c.Fold([]float64{1}, func([]float64) {}) },
		"start": func(c Comm) {
			c.Start(nil, []Message{{Peer: 2, Rows: make([]float32, 3)}}, 3).Wait()
		},
	} {
		err := Local(3, func(c Comm) error {
			if c.Rank() == 2 {
				return gone
			}
			wait(c)
			return nil
		})
		if !errors.Is(err, gone) {
			t.Errorf("%s: %v, want %v", name, err, gone)
		}
	}
}

// TestPanicOfRank: a panic in one rank ends the others, and goes on in the caller, where the
// rank reads names under a guard too; that of a lost rank does not.
func TestPanicOfRank(t *testing.T) {
	guard := func(body func() error) error { // as store.File.Guard
		err := rows.Catch(body)
		rows.Rethrow(err)
		return err
	}
	var err error
	caught := rows.Catch(func() error {
		err = Local(3, func(c Comm) error {
			return guard(func() error {
				if c.Rank() == 2 {
					panic("mine")
				}
				c.Exchange(make([][]byte, c.Size()))
				return nil
			})
		})
		return nil
	})
	var p *rows.Panic
	if !errors.As(caught, &p) || p.Value != "mine" || err != nil {
		t.Errorf("caught %v, returned %v", caught, err)
	}
	gone := errors.New("gone")
	if err := Local(3, func(c Comm) error {
		return guard(func() error {
			if c.Rank() == 2 {
				return gone
			}
			c.Exchange(make([][]byte, c.Size()))
			return nil
		})
	}); !errors.Is(err, gone) {
		t.Errorf("an error under a guard: %v", err)
	}
}

// TestSplit: bounds are at whole blocks, ranges have about the same work, and a
// hub does not break that.
func TestSplit(t *testing.T) {
	indptr := make([]int64, 100*512+100)
	for i := range len(indptr) - 1 {
		indptr[i+1] = indptr[i] + 10
		if i == 40_000 {
			indptr[i+1] += 100_000
		}
	}
	for _, parts := range []int{1, 2, 3, 7, 150} {
		bounds := Split(indptr, parts)
		NewWorld(sized{parts}, bounds) // panics on bounds at wrong places
		if parts > 7 {
			continue
		}
		for p := range parts {
			lo, hi := bounds[p], bounds[p+1]
			work := float64(indptr[hi]-indptr[lo]+8*int64(hi-lo)) * float64(parts) / float64(indptr[len(indptr)-1]+8*int64(len(indptr)-1))
			if work < 0.9 || work > 1.1 {
				t.Errorf("%d parts: part %d has %.2f of its share", parts, p, work)
			}
		}
	}
}

// sized is a Comm that only has a size.
type sized struct{ size int }

func (s sized) Rank() int                               { return 0 }
func (s sized) Size() int                               { return s.size }
func (s sized) Exchange([][]byte) [][]byte              { panic("no ranks") }
func (s sized) Start(_, _ []Message, _ int) Request     { panic("no ranks") }
func (s sized) Fold(sum []float64, add func([]float64)) { panic("no ranks") }
