package adp

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// identity distinguishes runs that give different results. It leaves out the names of nodes and
// classes, which do not affect a run.
type identity struct {
	Nodes   int      `json:"nodes"`
	Classes int      `json:"classes"`
	Graph   string   `json:"graph"`   // SHA-256 of W, in hexadecimal digits
	Seeds   string   `json:"seeds"`   // SHA-256 of the seeds
	Options []string `json:"options"` // name and value of each option that affects the result
}

// identify returns the identity of a run, with default options filled in. It makes one pass over W
// and takes 32 bytes for 512 rows.
func identify(w *csr.Matrix, y *diffuse.Seeds, opt Options) identity {
	return identity{
		Nodes: y.Nodes, Classes: y.Classes,
		Graph: hashMatrix(w, opt.Threads), Seeds: hashSeeds(y), Options: opt.describe(),
	}
}

// differs returns an [ErrSnapshot] that says where a snapshot's identity differs from id, the
// identity of the run.
func (id identity) differs(of identity) error {
	switch {
	case of.Nodes == id.Nodes && of.Graph != id.Graph:
		return fmt.Errorf("%w: it is of another graph of as many nodes: edges or weights differ", ErrSnapshot)
	case of.Nodes != id.Nodes:
		return fmt.Errorf("%w: it is of another graph, of %d nodes; this one has %d", ErrSnapshot, of.Nodes, id.Nodes)
	case of.Classes == id.Classes && of.Seeds != id.Seeds:
		return fmt.Errorf("%w: it is of other seeds: their nodes, classes or weights differ", ErrSnapshot)
	case of.Classes != id.Classes:
		return fmt.Errorf("%w: it is of other seeds, of %d classes; these have %d", ErrSnapshot, of.Classes, id.Classes)
	case len(of.Options) != len(id.Options):
		return fmt.Errorf("%w: it is of %d options; here there are %d", ErrSnapshot, len(of.Options), len(id.Options))
	}
	for k, option := range id.Options {
		if of.Options[k] != option {
			return fmt.Errorf("%w: it is of other options: %q; here %q", ErrSnapshot, of.Options[k], option)
		}
	}
	return nil
}

// describe returns name and value of every option that affects the result. Names and order are those
// of the files of older programs, whatever the fields are called now.
func (o Options) describe() (lines []string) {
	for _, option := range []struct {
		name  string
		value any
	}{
		{"Method", o.Method},
		{"Alpha", o.Alpha},
		{"GraphAlpha", o.GraphAlpha},
		{"Zeta", o.Zeta},
		{"TopK", o.TopK},
		{"Anchor", o.Anchor},
		{"Cut", o.Hubs},
		{"Harden", o.Harden},
		{"Rounds", o.Rounds},
		{"MinChange", o.MinChange},
		{"Beta", o.Beta},
		{"Select", o.Select},
		{"Settings", o.Settings},
		{"MixPower", o.mixPower()},
		{"TrialFolds", o.TrialFolds},
		{"MinConfidence", o.MinConfidence},
		{"Balance", o.Balance},
		{"Prior", o.Prior},
		{"Solver", o.Solver},
		{"Tolerance", o.Tolerance},
		{"MaxIterations", o.MaxIterations},
		{"Faint", o.Underflow},
		{"Order", o.Order},
		{"KeepFolds", o.KeepFolds},
		{"freeAlpha", o.freeAlpha},
		{"freeRounds", o.freeRounds},
		{"freeStep", o.freeStep},
	} {
		lines = append(lines, fmt.Sprintf("%s %v", option.name, option.value))
	}
	return append(lines, "Fresh by votes") // [Setting]: older runs had none, or other ones
}

func hashMatrix(w *csr.Matrix, threads int) string { return hashOf(hashBlocks(w, threads)) }

// hashBlocks returns the hash of each block of rows.
func hashBlocks(w *csr.Matrix, threads int) [][sha256.Size]byte {
	n, _ := w.Dims()
	sums := make([][sha256.Size]byte, (n+rows.BlockSize-1)/rows.BlockSize)
	rows.Each(n, threads, func(lo, hi int) {
		const most = 32 << 10
		h, b := sha256.New(), make([]byte, 0, most+16)
		item := func(v uint32) {
			if b = binary.LittleEndian.AppendUint32(b, v); len(b) >= most {
				h.Write(b)
				b = b[:0]
			}
		}
		for i := lo; i < hi; i++ {
			cols, vals := w.Row(i)
			item(uint32(len(cols)))
			for k, j := range cols {
				item(j)
				item(math.Float32bits(vals[k]))
			}
		}
		h.Write(b)
		h.Sum(sums[lo/rows.BlockSize][:0])
	})
	return sums
}

func hashOf(sums [][sha256.Size]byte) string {
	h := sha256.New()
	for _, sum := range sums {
		h.Write(sum[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}

func hashSeeds(y *diffuse.Seeds) string {
	h := sha256.New()
	for seeds := range slices.Chunk(y.List(), 1024) {
		var b []byte
		for _, s := range seeds {
			b = binary.LittleEndian.AppendUint32(b, s.Node)
			b = binary.LittleEndian.AppendUint32(b, s.Class)
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(s.Weight))
		}
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil))
}
