package dist

import (
	"slices"
	"sort"
	"unsafe"

	"github.com/adp-sparse/adp-sparse/csr"
)

// Halo is the plan by which a rank gets rows of others: an extended block has
// the own rows and those that are needed, in the order of the whole graph. As a
// rank's rows are consecutive, so are those that come from one rank, and they are
// received in their places.
//
// Memory: 4 bytes a row of the extended block, 4 a row that is sent, and the rows
// that are sent once more as floats.
type Halo struct {
	world   *World
	columns *columns
	list    []uint32 // the row of the whole graph that each extended row is
	first   int      // where the own rows begin
	own     int

	send    []sending
	receive []receiving
	packed  []float32
	out, in []Message // of the exchange under way
}

// sending is the own rows, by their extended number, that a rank needs.
type sending struct {
	peer int
	rows []uint32
}

// receiving is the extended rows that come from a rank.
type receiving struct{ peer, lo, hi int }

// newHalo returns the plan for a set of columns, to which the own ones are
// added. All ranks call it together.
func newHalo(w *World, need *columns) *Halo {
	lo, hi, _ := w.Rows()
	need.addRange(lo, hi)
	need.count()
	h := &Halo{world: w, columns: need, list: need.list(), own: hi - lo}
	below := func(row int) int { return sort.Search(len(h.list), func(k int) bool { return int(h.list[k]) >= row }) }
	h.first = below(lo)
	asked := make([][]byte, w.Size())
	for q := range w.Size() {
		from, to := below(w.bounds[q]), below(w.bounds[q+1])
		if q != w.Rank() && from < to {
			h.receive = append(h.receive, receiving{q, from, to})
			asked[q] = bytesOf(h.list[from:to])
		}
	}
	for q, request := range w.Exchange(asked) {
		if len(request) == 0 {
			continue
		}
		wanted := slices.Clone(itemsOf[uint32](request))
		for k, row := range wanted {
			wanted[k] = row - uint32(lo) + uint32(h.first)
		}
		h.send = append(h.send, sending{q, wanted})
	}
	return h
}

// haloOf returns the plan for the columns of a rank's rows.
func haloOf(w *World, m *csr.Matrix) *Halo {
	_, n := m.Dims()
	need := newColumns(n)
	need.addOf(m)
	return newHalo(w, need)
}

// Rows returns the rows of an extended block, and which of them the own ones
// are: first to first+own−1.
func (h *Halo) Rows() (rows, first, own int) { return len(h.list), h.first, h.own }

// Volume returns how many rows an exchange sends and receives here.
func (h *Halo) Volume() (sent, received int) {
	for _, s := range h.send {
		sent += len(s.rows)
	}
	return sent, len(h.list) - h.own
}

// start begins to bring the rows of other ranks to an extended block, whose own
// rows are there.
func (h *Halo) start(x *csr.Dense) Request {
	c := x.Cols
	sent, _ := h.Volume()
	if cap(h.packed) < sent*c {
		h.packed = make([]float32, sent*c)
	}
	h.out, h.in = h.out[:0], h.in[:0]
	at := 0
	for _, s := range h.send {
		from := at
		for _, row := range s.rows {
			at += copy(h.packed[at:at+c], x.Row(int(row)))
		}
		h.out = append(h.out, Message{s.peer, h.packed[from:at]})
	}
	for _, r := range h.receive {
		h.in = append(h.in, Message{r.peer, x.Data[r.lo*c : r.hi*c]})
	}
	return h.world.Start(h.out, h.in, c)
}

// exchange returns the extended block of a block of own rows.
func (h *Halo) exchange(own *csr.Dense) *csr.Dense {
	x := csr.NewDense(len(h.list), own.Cols)
	copy(x.Data[h.first*own.Cols:], own.Data)
	h.start(x).Wait()
	return x
}

// Exchange returns the values of the extended rows from those of the own. All ranks
// call it together.
func Exchange[T any](h *Halo, own []T) []T {
	values := make([]T, len(h.list))
	copy(values[h.first:], own)
	send := make([][]byte, h.world.Size())
	for _, s := range h.send {
		packed := make([]T, len(s.rows))
		for k, row := range s.rows {
			packed[k] = values[row]
		}
		send[s.peer] = bytesOf(packed)
	}
	received := h.world.Exchange(send)
	for _, r := range h.receive {
		copy(values[r.lo:r.hi], itemsOf[T](received[r.peer]))
	}
	return values
}

// localize returns a matrix of own rows with the columns of the extended block.
// The values are shared.
func (h *Halo) localize(m *csr.Matrix) *csr.Matrix {
	rows, _ := m.Dims()
	indptr, indices, data := m.Arrays()
	local := make([]uint32, len(indices))
	for k, j := range indices {
		local[k] = h.columns.at(j)
	}
	return trusted(rows, len(h.list), indptr, local, data)
}

// trusted makes a matrix of arrays that are right by construction.
func trusted(rows, cols int, indptr []int64, indices []uint32, data []float32) *csr.Matrix {
	m, err := csr.New(rows, cols, indptr, indices, data)
	if err != nil {
		panic(err)
	}
	return m
}

// bytesOf and itemsOf are views of items as bytes and back. Ranks are the same
// program on machines of one kind.
func bytesOf[T any](items []T) []byte {
	if len(items) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(items))), len(items)*int(unsafe.Sizeof(items[0])))
}

func itemsOf[T any](b []byte) []T {
	if len(b) == 0 {
		return nil
	}
	var item T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(item)))
}
