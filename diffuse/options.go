package diffuse

import (
	"errors"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
)

// ErrOptions is wrapped by every error about options.
var ErrOptions = errors.New("diffuse: invalid options")

// Solver is a method to solve linear systems.
type Solver int

const (
	// CG is the method of conjugate gradients (Hestenes and Stiefel, 1952) on all class columns at
	// once; a column stops when it has converged. (default)
	CG Solver = iota
	// Power is the paper's iteration F ← αSF + (1−α)Y: the same solution, about ten times the
	// products at α = 0.99. LGC only.
	Power
)

// Options are the options of [LGC], [Harmonic] and [Poisson].
type Options struct {
	// Alpha is the diffusion weight α in (0,1): the weight of a node's neighbours against its own
	// seed. Zero means 0.99.
	Alpha float64
	// Balance and Prior weigh the classes, see [Graph.Scale].
	Balance Balance
	Prior   []float64
	// Within gives the components in which classes are balanced; nil means those of the graph of
	// the solve, if it is [Parted]. A learned graph has components that its labels made, and uses
	// those of the graph that it was learned from.
	Within Parted
	Solver Solver
	// Tolerance is the largest ‖residual‖₂/‖right side‖₂ of a class column that counts as
	// converged. Zero means 1e-6. A residual of 2^-21·‖F_j‖₂ counts too, or of 2^-18 if it falls no
	// further: float32 holds no smaller one. Small systems, and those on which CG fails, are solved
	// by elimination, whose error is that of rounding F to float32; for GFHF the rows, which sum to
	// 1, tell whether it failed.
	Tolerance float64
	// MaxIterations bounds the products with S. Zero means 2000 for CG and 20000 for Power.
	// Reaching it is no error; Stats tells. Elimination takes no more multiply-adds than they may.
	MaxIterations int
	Threads       int // zero means GOMAXPROCS
	// Underflow decides, after a solve by CG, whether to solve again for the rows of F whose
	// largest entry is below a limit. Below it a row, of a node far from all seeds, consists more
	// of the error that Tolerance allows than of the solution. If Underflow returns true, these
	// rows are solved to the tolerance of their own size, and it decides again about the still
	// smaller ones among them. Nil leaves them, [UnderflowAll] solves for all, at the cost of as
	// many products for each factor of about 10^-3 by which F falls.
	Underflow func(f *csr.Dense, limit float64) bool
}

// UnderflowAll is the Options.Underflow that solves for all rows.
func UnderflowAll(*csr.Dense, float64) bool { return true }

// WithDefaults returns the options with zero fields filled, or an
// [ErrOptions] that names all faults.
func (o Options) WithDefaults(classes int) (Options, error) {
	if o.Alpha == 0 {
		o.Alpha = 0.99
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-6
	}
	if o.MaxIterations == 0 {
		o.MaxIterations = 2000
		if o.Solver == Power {
			o.MaxIterations = 20000
		}
	}
	var faults []error
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("%w: "+format, append([]any{ErrOptions}, args...)...))
	}
	if !(o.Alpha > 0 && o.Alpha < 1) {
		fault("alpha %v, expected between 0 and 1, both excluded", o.Alpha)
	}
	if !(o.Tolerance > 0 && o.Tolerance < 1) {
		fault("tolerance %v, expected between 0 and 1, both excluded", o.Tolerance)
	}
	if o.MaxIterations < 1 {
		fault("%d iterations at most, expected at least 1", o.MaxIterations)
	}
	if o.Solver < CG || o.Solver > Power {
		fault("unknown solver %d", int(o.Solver))
	}
	if o.Balance < Balanced || o.Balance > Unbalanced {
		fault("unknown balance %d of the classes", int(o.Balance))
	}
	if o.Prior != nil && len(o.Prior) != classes {
		fault("%d class priors, expected %d", len(o.Prior), classes)
	}
	for j, p := range o.Prior {
		if !(p > 0) || math.IsInf(p, 0) {
			fault("prior %v of class %d, expected a finite number above 0", p, j)
		}
	}
	return o, errors.Join(faults...)
}

// Stats describes the solution of a linear system.
type Stats struct {
	Iterations int     `json:"iterations"` // products with S
	Residual   float64 `json:"residual"`   // largest ‖residual‖₂/‖right side‖₂ of a class column
	Converged  bool    `json:"converged"`
	// Underflow counts the rows of reached nodes that consist more of the error that the tolerance
	// allows than of the solution, see Options.Underflow, or are below the range of float32. LGC by
	// CG only.
	Underflow int `json:"faint,omitempty"`
	// Scaled counts the rows too small for float32, stored multiplied by a factor: the shares within a row
	// are right, its size is not.
	Scaled int `json:"-"`
}
