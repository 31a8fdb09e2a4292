package bench

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
)

// Kernels is an experiment: the sparse-dense product Y = A·X beside the peers
// in bench/peers, on the same matrices, all held in memory, a product of each in
// turn. With one thread the time is that of the processor, with more the wall's.
type Kernels struct {
	Nodes, Degree int
	Patterns      []string // of [Patterns]
	Columns       []int    // of X; the C peer knows 4, 10 and 32
	Threads       int
	Rounds        int
	Seed          uint64
	Peers         string // folder of the peers' sources; empty for none
	Python        string // the interpreter that has SciPy
	Log           func(format string, args ...any)
}

// KernelCase is what was measured for one pattern and number of columns.
type KernelCase struct {
	Pattern        string
	Nodes, Entries int
	Columns        int
	Threads        int
	// Seconds holds a time a round by program and variant: "adp-sparse avx2",
	// "c simd32", "scipy scipy", "graphblas plain", …
	Seconds map[string][]float64
}

// ours is the program name of this program's products.
const ours = "adp-sparse"

// Run does the experiment.
func (e Kernels) Run(ctx context.Context) (cases []KernelCase, err error) {
	dir, err := os.MkdirTemp("", "adp-sparse-bench")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	commands := e.compile(ctx, dir)
	for _, pattern := range e.Patterns {
		a, err := Pattern(pattern, e.Nodes, e.Degree, e.Seed)
		if err != nil {
			return nil, err
		}
		x := randomBlock(e.Nodes, slices.Max(e.Columns), e.Seed)
		if err := errors.Join(writeMatrix(dir, a), writeArray(dir, "x.f32", x.Data)); err != nil {
			return nil, err
		}
		for _, c := range e.Columns {
			part := &csr.Dense{Rows: e.Nodes, Cols: c, Data: x.Data[:e.Nodes*c]}
			one, err := e.measure(ctx, dir, commands, pattern, a, part)
			if err != nil {
				return nil, fmt.Errorf("%s, %d columns: %w", pattern, c, err)
			}
			cases = append(cases, one)
		}
	}
	return cases, nil
}

// compile builds the peers that can be built here and returns the command of
// each.
func (e Kernels) compile(ctx context.Context, dir string) map[string][]string {
	commands := map[string][]string{}
	if e.Peers == "" {
		return commands
	}
	p := peers{Folder: e.Peers, Python: e.Python, Log: e.Log}
	for name, args := range map[string][]string{"c": {"spmm.c"}, "graphblas": {"spmm_graphblas.c", "-lgraphblas"}} {
		if program := p.compile(ctx, dir, name, args...); program != "" {
			commands[name] = []string{program}
		}
	}
	if script := p.script(ctx, "scipy", "spmm.py", "scipy"); script != nil {
		commands["scipy"] = script
	}
	return commands
}

func randomBlock(n, c int, seed uint64) *csr.Dense {
	rng := rand.New(rand.NewPCG(seed, 0x6465_6e73))
	x := csr.NewDense(n, c)
	for k := range x.Data {
		x.Data[k] = rng.Float32()
	}
	return x
}

// writeMatrix writes a matrix as three raw arrays.
func writeMatrix(dir string, a *csr.Matrix) error {
	indptr, indices, data := a.Arrays()
	return errors.Join(
		writeArray(dir, "indptr.i64", indptr), writeArray(dir, "indices.u32", indices), writeArray(dir, "data.f32", data),
	)
}

// writeArray writes a little-endian array to a new file.
func writeArray(dir, name string, array any) error {
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	return errors.Join(binary.Write(w, binary.LittleEndian, array), w.Flush(), f.Close())
}

// measure runs all programs in turn on one case.
func (e Kernels) measure(ctx context.Context, dir string, commands map[string][]string, pattern string, a *csr.Matrix, x *csr.Dense) (KernelCase, error) {
	one := KernelCase{Pattern: pattern, Nodes: x.Rows, Entries: a.NNZ(), Columns: x.Cols, Threads: e.Threads, Seconds: map[string][]float64{}}
	y := csr.NewDense(x.Rows, x.Cols)
	sum, err := sameBits(y, a, x)
	if err != nil {
		return one, err
	}
	all := []contestant{{ours + " " + kernel.Name(), func() (sample, error) { return e.product(y, a, x), nil }}}
	for name, command := range commands {
		args := []string{dir, fmt.Sprint(x.Rows), fmt.Sprint(a.NNZ()), fmt.Sprint(x.Cols), fmt.Sprint(e.Threads)}
		p, err := startPeer(ctx, name, slices.Concat(command, args)...)
		if err != nil {
			e.Log("%s is left out: %v", name, err)
			continue
		}
		defer p.stop()
		all = append(all, p.contestants()...)
	}
	for k, c := range all {
		all[k] = warm(c)
	}
	times, err := alternate(ctx, e.Rounds, false, all, func(name string, s sample) error {
		if gap := math.Abs(s.Sum - sum); gap > 1e-4*sum && !strings.Contains(name, "gather") {
			return fmt.Errorf("checksum %v, expected %v", s.Sum, sum)
		}
		return nil
	})
	if err != nil {
		return one, err
	}
	for name, samples := range times {
		for _, s := range samples {
			seconds := s.CPU
			if e.Threads > 1 {
				seconds = s.Wall
			}
			one.Seconds[name] = append(one.Seconds[name], seconds)
		}
	}
	e.Log("%s, %d columns: %s", pattern, x.Cols, one.summary())
	return one, nil
}

// product does one product of this program.
func (e Kernels) product(y *csr.Dense, a *csr.Matrix, x *csr.Dense) sample {
	wall, cpu := time.Now(), CPUTime()
	csr.MulDense(y, a, x, e.Threads)
	s := sample{CPU: (CPUTime() - cpu).Seconds(), Wall: time.Since(wall).Seconds()}
	s.Sum = checksum(y)
	return s
}

// checksum returns Σ_k y_k ((k mod 97) + 1).
func checksum(y *csr.Dense) float64 {
	sum := 0.0
	for k, v := range y.Data {
		sum += float64(v) * float64(k%97+1)
	}
	return sum
}

// sameBits returns the checksum of A·X, after all versions of the kernel were
// found to give the same bits.
func sameBits(y *csr.Dense, a *csr.Matrix, x *csr.Dense) (float64, error) {
	csr.MulDense(y, a, x, runtime.GOMAXPROCS(0))
	best := kernel.Name()
	defer kernel.Select(best)
	other := csr.NewDense(y.Rows, y.Cols)
	for _, name := range kernel.Names() {
		kernel.Select(name)
		csr.MulDense(other, a, x, 1)
		for k, v := range other.Data {
			if math.Float32bits(v) != math.Float32bits(y.Data[k]) {
				return 0, fmt.Errorf("entry %d is %v with the %s kernel, %v with %s", k, v, name, y.Data[k], best)
			}
		}
	}
	return checksum(y), nil
}

// best returns the variant of a program with the smallest median whose name
// has the prefix, and "" if there is none.
func (c KernelCase) best(prefix string) string {
	name := ""
	for key, s := range c.Seconds {
		if strings.HasPrefix(key, prefix) && (name == "" || median(s) < median(c.Seconds[name])) {
			name = key
		}
	}
	return name
}

// bestC returns the fastest of the C peer's products.
func (c KernelCase) bestC() string {
	name := c.best("c simd")
	if plain := c.best("c plain"); plain != "" && median(c.Seconds[plain]) < median(c.Seconds[name]) {
		return plain
	}
	return name
}

// ratio returns the median over the rounds of the times of one over those of
// another, NaN where one was not measured.
func (c KernelCase) ratio(one, other string) float64 {
	var ratios []float64
	for k, s := range c.Seconds[one] {
		if k < len(c.Seconds[other]) {
			ratios = append(ratios, s/c.Seconds[other][k])
		}
	}
	return median(ratios)
}

// summary is a line for the log.
func (c KernelCase) summary() string {
	var text strings.Builder
	for _, key := range slices.SortedFunc(maps.Keys(c.Seconds), func(a, b string) int {
		return int(math.Copysign(1, median(c.Seconds[a])-median(c.Seconds[b])))
	}) {
		fmt.Fprintf(&text, "%s %.1f ms, ", key, 1000*median(c.Seconds[key]))
	}
	return strings.TrimSuffix(text.String(), ", ")
}

// median returns NaN for an empty slice.
func median(s []float64) float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	s = slices.Sorted(slices.Values(s))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

// WriteKernels writes a row a case: the time of this program's product, and how
// it compares.
func WriteKernels(w io.Writer, cases []KernelCase) error {
	t := NewTable("pattern", "c", "threads", "ms", "ns an entry", "/ best C (which)", "gather alone / best C", "plain C / best C", "SciPy / ours", "GraphBLAS / ours (form)")
	number := func(v float64) string {
		if math.IsNaN(v) {
			return "–"
		}
		return fmt.Sprintf("%.2f", v)
	}
	named := func(v float64, name string) string {
		_, variant, ok := strings.Cut(name, " ")
		if !ok {
			return number(v)
		}
		return number(v) + " (" + variant + ")"
	}
	for _, c := range cases {
		us, bestC, graphblas := c.best(ours), c.bestC(), c.best("graphblas")
		seconds := median(c.Seconds[us])
		t.Add(c.Pattern, fmt.Sprint(c.Columns), fmt.Sprint(c.Threads), fmt.Sprintf("%.1f", 1000*seconds), number(1e9*seconds/float64(c.Entries)),
			named(c.ratio(us, bestC), bestC), number(c.ratio(c.best("c gather"), bestC)), number(c.ratio("c plain", bestC)),
			number(c.ratio("scipy scipy", us)), named(c.ratio(graphblas, us), graphblas))
	}
	return t.Write(w)
}
