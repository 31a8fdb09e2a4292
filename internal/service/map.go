package service

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// atlas is where the nodes lie on the map. It is made once, in the background, when somebody first asks.
type atlas struct {
	begin  sync.Once
	ended  chan struct{}
	ctx    context.Context
	cancel context.CancelFunc
	done   atomic.Int64 // thousandths
	places atomic.Pointer[[]byte]
	fault  atomic.Pointer[error]
}

// Close ends the work on the map. The graph may be closed after it.
func (s *Server) Close() {
	s.atlas.cancel()
	s.atlas.begin.Do(func() { close(s.atlas.ended) })
	<-s.atlas.ended
	s.model.Close()
}

// start begins the map unless somebody has.
func (s *Server) startMap() {
	a := &s.atlas
	a.begin.Do(func() {
		go func() {
			defer close(a.ended)
			err := rows.Catch(func() error { // who labels goes on without a map
				return s.opt.Guard(func() error {
					at, err := layout(a.ctx, s.model.learned, s.model.graph, func(share float64) { a.done.Store(int64(1000 * share)) })
					if err == nil {
						places := quantized(at)
						a.places.Store(&places)
					}
					return err
				})
			})
			if err != nil {
				if !errors.Is(err, context.Canceled) {
					s.opt.Log(errors.New(line(fmt.Sprintf("the map: %v", err))))
				}
				a.fault.Store(&err)
			}
		}()
	})
}

// mapState answers how far the map is, and begins it.
func (s *Server) mapState(*http.Request) (any, error) {
	s.startMap()
	if s.atlas.fault.Load() != nil {
		return nil, faultf(http.StatusInternalServerError, "the map could not be made")
	}
	return struct {
		Ready bool    `json:"ready"`
		Done  float64 `json:"done"`
	}{s.atlas.places.Load() != nil, float64(s.atlas.done.Load()) / 1000}, nil
}

// mapPlaces answers where the nodes are: x and y of each, of 16 bits, the least byte first.
func (s *Server) mapPlaces(*http.Request) (any, error) {
	places := s.atlas.places.Load()
	if places == nil {
		return nil, faultf(http.StatusConflict, "the map is not ready; see /v1/map")
	}
	return file{kind: "application/octet-stream", content: *places}, nil
}

// mapLabels answers what the nodes are, four bytes each: the place of the class and 1, 0 for none, of 16
// bits, the least byte first; the margin, of 255; the status, 0 to 3: known, predicted, tie, not reached.
func (s *Server) mapLabels(*http.Request) (any, error) {
	l := s.model.now.Load()
	isSeed := l.seeds.Mask()
	text := make([]byte, 0, 4*len(l.labels))
	for i, j := range l.labels {
		_, margin := l.margin(i, j)
		status := byte(1)
		switch {
		case isSeed[i]:
			status = 0
		case j < 0:
			status = 3
		case margin <= adp.TieMargin:
			status = 2
		}
		text = binary.LittleEndian.AppendUint16(text, uint16(min(j+1, math.MaxUint16)))
		text = append(text, byte(math.Round(255*float64(min(max(margin, 0), 1)))), status)
	}
	return file{kind: "application/octet-stream", content: text}, nil
}

// layout returns x and y of each node: neighbours near each other and all others apart. It starts from two
// eigenvectors of S of the largest eigenvalues after the first, about, and moves the ends of edges together and
// nodes drawn at random apart, with the forces of t-SNE by the samples of LargeVis.
//
// J. Tang et al.: Visualizing large-scale and high-dimensional data, WWW 2016. Cost: about 10⁸ moves for
// 10,000 nodes or more, one after the other: the result has the same bits for any number of threads.
func layout(ctx context.Context, a *csr.Matrix, s *diffuse.Graph, tell func(share float64)) ([]float32, error) {
	n, _ := a.Dims()
	random := rand.New(rand.NewPCG(1, 1))
	at := spectral(s, random)
	heaviest := make([]float32, n)
	for i := range n {
		cols, vals := a.Row(i)
		for k, v := range vals {
			if int(cols[k]) != i {
				heaviest[i] = max(heaviest[i], v)
			}
		}
	}
	const most, least, moves, apart = 300, 30, 1e8, 4
	rounds := int(min(most, max(least, moves/float64(a.NNZ()+1))))
	for round := range rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		tell(float64(round) / float64(rounds))
		step := float32(1 - float64(round)/float64(rounds))
		for i := range n {
			if i%10_000 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			cols, vals := a.Row(i)
			for k, v := range vals {
				j := int(cols[k])
				if j == i || random.Float32()*max(heaviest[i], heaviest[j]) >= v {
					continue
				}
				dx, dy := at[2*i]-at[2*j], at[2*i+1]-at[2*j+1]
				pull := -2 / (1 + float32(dx*dx) + float32(dy*dy))
				move(at, i, j, step, pull*dx, pull*dy)
				for range apart {
					if j = random.IntN(n); j == i {
						continue
					}
					dx, dy := at[2*i]-at[2*j], at[2*i+1]-at[2*j+1]
					d := float32(dx*dx) + float32(dy*dy)
					push := 2 / ((0.01 + d) * (1 + d))
					move(at, i, -1, step, push*dx, push*dy)
				}
			}
		}
	}
	return at, nil
}

// move moves node i, and node j, unless it is negative, the other way.
func move(at []float32, i, j int, step, x, y float32) {
	const most = 4
	x, y = float32(step*min(most, max(-most, x))), float32(step*min(most, max(-most, y)))
	at[2*i], at[2*i+1] = at[2*i]+x, at[2*i+1]+y
	if j >= 0 {
		at[2*j], at[2*j+1] = at[2*j]-x, at[2*j+1]-y
	}
}

// spectral returns two coordinates of each node by some steps of (I+S)/2, within ±10.
func spectral(s *diffuse.Graph, random *rand.Rand) []float32 {
	n := s.Dim()
	at := make([]float32, 2*n)
	for k := range 2 {
		first, x, next := make([]float64, n), make([]float64, n), make([]float64, n)
		for i, d := range s.Degrees {
			first[i], x[i] = math.Sqrt(d), random.NormFloat64()
		}
		before := make([]float64, n) // the coordinate that there is
		for i := range n {
			before[i] = float64(at[2*i])
		}
		for range 40 {
			for i := range n {
				cols, vals := s.S.Row(i)
				sum := x[i]
				for at, j := range cols {
					sum += float64(float64(vals[at]) * x[j])
				}
				next[i] = sum
			}
			x, next = next, x
			without(x, first)
			if k == 1 {
				without(x, before)
			}
			most := 0.0
			for _, v := range x {
				most = max(most, math.Abs(v))
			}
			for i := range x {
				x[i] /= max(most, 1e-300)
			}
		}
		for i, v := range x {
			at[2*i+k] = float32(float64(10*v) + float64(0.1*random.NormFloat64()))
		}
	}
	return at
}

// without takes the part of x along u away.
func without(x, u []float64) {
	dot, length := 0.0, 0.0
	for i, v := range u {
		dot += float64(x[i] * v)
		length += float64(v * v)
	}
	if length == 0 {
		return
	}
	for i, v := range u {
		x[i] -= float64(dot / length * v)
	}
}

// quantized returns places within a square of 65,536 points a side, which they fill in one direction. A few
// that lie far from all others are put at its rim.
func quantized(at []float32) []byte {
	const far = 500 // of so many places one, at each side
	var least, most [2]float32
	for k := range 2 {
		sorted := make([]float32, len(at)/2)
		for i := range sorted {
			sorted[i] = at[2*i+k]
		}
		slices.Sort(sorted)
		n := len(sorted)
		least[k], most[k] = sorted[n/far], sorted[n-1-n/far]
	}
	side := max(most[0]-least[0], most[1]-least[1], 1e-6)
	text := make([]byte, 0, 2*len(at))
	for i, v := range at {
		middle := (least[i%2] + most[i%2]) / 2
		share := min(1, max(0, 0.5+(v-middle)/side))
		text = binary.LittleEndian.AppendUint16(text, uint16(math.Round(math.MaxUint16*float64(share))))
	}
	return text
}
