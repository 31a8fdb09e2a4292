package bench

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn"
)

// Spreading is scikit-learn's LabelSpreading with the kernel knn, in a process of its own: it
// makes its graph of the features of a set once, and labels each draw on it. It looks at no
// edges. Rows of counts are at unit length, as the baselines have them: by the Euclidean
// distances of raw counts it finds little. Its columns belong to one goroutine.
type Spreading struct {
	Peers, Python string // the folder of spreading.py, and the Python that has scikit-learn
	Neighbors     int
	Alpha         float64

	graph *Graph
	peer  *peer
}

// Column returns it as a column of [Accuracy].
func (s *Spreading) Column(name string) Method { return Method{Name: name, Label: s.label} }

func (s *Spreading) label(ctx context.Context, g *Graph, seeds *diffuse.Seeds) ([]int32, error) {
	if g != s.graph {
		s.Close()
		if err := s.start(ctx, g); err != nil {
			return nil, err
		}
		s.graph = g
	}
	var line strings.Builder
	for _, seed := range seeds.List() {
		fmt.Fprintf(&line, "%d %d ", seed.Node, seed.Class)
	}
	if _, err := fmt.Fprintln(s.peer.in, line.String()); err != nil {
		return nil, fmt.Errorf("%s: %w", s.peer.name, err)
	}
	answer, err := s.peer.out.ReadString('\n')
	words := strings.Fields(answer)
	if err != nil || len(words) != len(g.Truth) {
		return nil, fmt.Errorf("%s: said %d classes, expected %d (%v)", s.peer.name, len(words), len(g.Truth), err)
	}
	labels := make([]int32, len(words))
	for i, word := range words {
		class, err := strconv.ParseInt(word, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.peer.name, err)
		}
		labels[i] = int32(class)
	}
	return labels, nil
}

// start hands the features of a set to a process.
func (s *Spreading) start(ctx context.Context, g *Graph) error {
	x, err := s.points(g)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "adp-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) // it is read before the process is ready
	file := filepath.Join(dir, "features")
	numbers, err := binary.Append(nil, binary.LittleEndian, x.Data)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, numbers, 0o600); err != nil {
		return err
	}
	s.peer, err = startPeer(ctx, "LabelSpreading", s.Python, filepath.Join(s.Peers, "spreading.py"), file,
		strconv.Itoa(x.Rows), strconv.Itoa(x.Cols), strconv.Itoa(s.Neighbors), fmt.Sprint(s.Alpha))
	return err
}

// points returns the features as they are handed over: dense, rows of counts at unit length.
func (s *Spreading) points(g *Graph) (*csr.Dense, error) {
	switch {
	case g.X == nil:
		return nil, ErrNoFeatures
	case g.X.Dense != nil:
		x := g.X.Dense.Clone()
		if knn.Words(x) {
			unitRows(x)
		}
		return x, nil
	}
	n, d := g.X.Sparse.Dims()
	if n*d > mostDense {
		return nil, fmt.Errorf("%w that are dense: %d×%d sparse ones are too many for LabelSpreading", ErrNoFeatures, n, d)
	}
	x := csr.NewDense(n, d)
	for i := range n {
		columns, values := g.X.Sparse.Row(i)
		for k, j := range columns {
			x.Set(i, int(j), values[k])
		}
	}
	unitRows(x)
	return x, nil
}

// mostDense is the most values that sparse features are filled up to.
const mostDense = 1 << 26

// unitRows scales rows to length 1.
func unitRows(x *csr.Dense) {
	for i := range x.Rows {
		row, sum := x.Row(i), 0.0
		for _, v := range row {
			sum += float64(v) * float64(v)
		}
		if sum == 0 {
			continue
		}
		for j := range row {
			row[j] = float32(float64(row[j]) / math.Sqrt(sum))
		}
	}
}

// Close ends the process.
func (s *Spreading) Close() {
	if s.peer != nil {
		s.peer.stop()
	}
	s.peer, s.graph = nil, nil
}
