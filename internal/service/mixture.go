package service

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Mixture returns the probabilities that a mixture of methods gives the nodes by what is known, n×c. Each class
// has a label, and there are at least two.
type Mixture func(ctx context.Context, known Known) (*csr.Dense, error)

// mixer makes the answers of a mixture, one at a time in the background: those of label spreading come with each
// label, but a mixture takes as long as a run. Until one with all labels is there the last one stands, with the
// known labels as they are.
type mixer struct {
	make   Mixture
	ctx    context.Context
	cancel context.CancelFunc
	due    chan struct{} // full while a label waits for its mixture
	ended  chan struct{}
	fault  func(error)
	took   atomic.Int64 // nanoseconds, of the last one
}

// Who gives a label waits for its mixture where the last one took no longer than quick.
const (
	quick   = 2 * time.Second
	patient = 3 * time.Second
)

// answers is the mixture that a labelling has.
type answers struct {
	mixes   bool          // there are mixtures
	p       *csr.Dense    // probabilities, n×c; nil where there is none, or none yet, and F answers
	turn    int           // how many times labels were given before the labelling
	mixed   int           // and before the last mixture
	arrived chan struct{} // closed when the mixture has all labels of the labelling
}

// answer are the scores by which nodes have their labels, n×c.
func (l *labelling) answer() *csr.Dense {
	if l.p != nil {
		return l.p
	}
	return l.f
}

// behind is how many times labels were given that the answer does not know yet.
func (l *labelling) behind() int {
	if !l.mixes {
		return 0
	}
	return l.turn - l.mixed
}

// startMixing takes a first answer, and begins to make others.
func (m *Model) startMixing(g *Graphs, l *labelling) {
	if g.Mixture == nil {
		return
	}
	m.mixer = &mixer{make: g.Mixture, due: make(chan struct{}, 1), ended: make(chan struct{}), fault: g.Fault}
	m.mixer.took.Store(int64(g.Took))
	m.mixer.ctx, m.mixer.cancel = context.WithCancel(context.Background())
	l.mixes, l.p = true, g.Mixed
	go m.mix()
}

// Close ends the work in the background.
func (m *Model) Close() {
	if m.mixer != nil {
		m.mixer.cancel()
		<-m.mixer.ended
	}
}

// mix makes mixtures as long as labels wait for one.
func (m *Model) mix() {
	x := m.mixer
	defer close(x.ended)
	for {
		select {
		case <-x.ctx.Done():
			return
		case <-x.due:
		}
		l, start := m.now.Load(), time.Now()
		if l.mixed == l.turn { // the one before had all
			continue
		}
		var p *csr.Dense
		err := rows.Catch(func() (err error) {
			p, err = x.of(l)
			return err
		})
		if x.ctx.Err() != nil {
			return
		}
		if err != nil {
			x.fault(err) // the last one stands, and is marked as behind
			continue
		}
		m.arrive(l, p, time.Since(start))
	}
}

// of returns the mixture of a labelling; nil where fewer than two classes have a label.
func (x *mixer) of(l *labelling) (*csr.Dense, error) {
	present := withSeeds(l.seeds, nil)
	if len(present) < 2 {
		return nil, nil
	}
	known, list := Known{}, []diffuse.Seed{}
	for _, j := range present {
		known.Classes = append(known.Classes, l.classes[j])
	}
	for _, s := range l.seeds.List() {
		at, _ := slices.BinarySearch(present, s.Class)
		list = append(list, diffuse.Seed{Node: s.Node, Class: uint32(at), Weight: s.Weight})
	}
	var err error
	if known.Seeds, err = diffuse.NewSeeds(l.seeds.Nodes, len(present), list); err != nil {
		return nil, err
	}
	part, err := x.make(x.ctx, known)
	if err != nil {
		return nil, err
	}
	return placed(part, known.Classes, l.classes), nil
}

// placed returns columns of some classes in the places that they have among others; a class that is not
// among them is left out.
func placed(p *csr.Dense, from, to []string) *csr.Dense {
	out := csr.NewDense(p.Rows, len(to))
	for at, class := range from {
		if j := slices.Index(to, class); j >= 0 {
			for i := range p.Rows {
				out.Set(i, j, p.At(i, at))
			}
		}
	}
	return out
}

// arrive puts a mixture of the labels of a labelling into the one of now, which may know more.
func (m *Model) arrive(of *labelling, p *csr.Dense, took time.Duration) {
	for {
		now := m.now.Load()
		next := *now
		next.version, next.mixed = now.version+1, of.turn
		if next.p = nil; p != nil {
			next.p = placed(p, of.classes, now.classes)
			next.forgetClasses()
		}
		next.judge(m.base)
		m.mixer.took.Store(int64(took))
		if !m.now.CompareAndSwap(now, &next) {
			continue
		}
		if next.mixed == next.turn {
			close(next.arrived)
		} // else the labels given since have woken the mixer
		return
	}
}

// forgetClasses makes the probabilities of classes without a known label 0.
func (l *labelling) forgetClasses() {
	for j, seeds := range l.seeds.PerClass() {
		for i := 0; seeds == 0 && i < l.p.Rows; i++ {
			l.p.Set(i, j, 0)
		}
	}
}

// replace puts a labelling in the place of the last one, with the mixture of that, and reports it to the mixer.
func (m *Model) replace(next *labelling) {
	for {
		last := m.now.Load()
		next.version, next.answers = last.version+1, answers{mixes: last.mixes, turn: last.turn + 1, mixed: last.mixed, arrived: make(chan struct{})}
		if last.p != nil {
			next.p = placed(last.p, last.classes, next.classes)
			next.forgetClasses()
		}
		next.judge(m.base)
		if m.now.CompareAndSwap(last, next) {
			break
		}
	}
	m.wake()
}

// wake tells the mixer that a label waits.
func (m *Model) wake() {
	if m.mixer == nil {
		return
	}
	select {
	case m.mixer.due <- struct{}{}:
	default:
	}
}

// await waits for the mixture that knows all labels of a labelling where it comes soon, and returns the labelling
// of then.
func (m *Model) await(ctx context.Context, l *labelling) *labelling {
	if m.mixer == nil || time.Duration(m.mixer.took.Load()) > quick {
		return m.now.Load()
	}
	late := time.NewTimer(patient)
	defer late.Stop()
	select {
	case <-l.arrived:
	case <-late.C:
	case <-ctx.Done(): // the labels are taken all the same
	case <-m.mixer.ctx.Done():
	}
	return m.now.Load()
}

// judge gives the nodes the labels of the answer, and what is known stands.
func (l *labelling) judge(base map[uint32]string) {
	scores := l.answer()
	l.labels = make([]int32, scores.Rows)
	for i := range l.labels {
		l.labels[i] = diffuse.TopOf(scores.Row(i)).Class
	}
	list := l.seeds.List()
	for k, s := range list {
		if !diffuse.IsSoft(list, k) { // what was said stands, whatever the diffusion says
			l.labels[s.Node] = int32(s.Class)
		}
	}
	l.count(base)
}

// margin returns the share and the margin of a class of a node.
func (l *labelling) margin(i int, class int32) (share, margin float32) {
	row := l.answer().Row(i)
	return diffuse.TopOf(row).Of(row, class)
}

// ties reports whether two classes have the same score at a node.
func (l *labelling) ties(i int) bool { return diffuse.TopOf(l.answer().Row(i)).Margin <= adp.TieMargin }
