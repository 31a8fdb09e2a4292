package ranks

import (
	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
)

// After names the steps that follow a run.
type After struct {
	Calibrate bool // [Calibrate]
	F, Graph  bool // [Gather] brings them to rank 0
}

// Memory holds the sizes that the memory of a rank depends on, beside the options.
type Memory struct {
	bytes func(opt adp.Options, calibrate, f, graph bool) int64
}

// Measure measures the rank's own rows of W. All ranks call it together.
func Measure(world *dist.World, w *csr.Matrix, classes int) *Memory {
	return &Memory{hooks.Measure(world, w, classes)}
}

// Bytes estimates the rank's peak memory in a run and in the steps after it, [Gather] and its
// result included, W included.
//
// With N own rows of n, E own entries, h rows of other ranks in their columns, and R rows up to
// three steps away (four where rounds start from a learned graph):
//
//	W, S, S with local columns   16·E + 44·N
//	halos                        4·(N + 2h) and 3·n/16 each, 4·c·(N + 2h)
//	class blocks                 as in [adp.EstimateBytes], for N rows
//	learned graphs               8 an entry, and 48 for each that is kept, on the way
//	                             to other ranks
//	an A-step                    16 for each entry of S and A that is fetched,
//	                             4·c·(2N + R), 24·(N + R) a worker
//	rank 0 at the end            40·n; with F 12·c·n; with the graph 18 an entry
//
// Rows two and more steps away are not counted but extrapolated from the share of own rows at the
// border. A rank with no hub at one step, but one further away, needs more.
func (m *Memory) Bytes(opt adp.Options, after After) int64 {
	return m.bytes(opt, after.Calibrate, after.F, after.Graph)
}
