package adp_test

import (
	"context"
	"errors"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/adp/internal/planted"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// copyOf returns a snapshot that the run does not change any more, without
// times.
func copyOf(s *adp.Snapshot) *adp.Snapshot {
	out := *s
	out.Main = copyProcess(s.Main)
	for _, ranks := range []*crossval.Ranks{&out.Contest.LGC, &out.Contest.ADP, &out.Contest.Alphas[0], &out.Contest.Alphas[1]} {
		*ranks = slices.Clone(*ranks)
	}
	if s.Fold != nil {
		fold := copyProcess(*s.Fold)
		out.Fold = &fold
	}
	return &out
}

func copyProcess(p adp.Process) adp.Process {
	p.Rounds = slices.Clone(p.Rounds)
	for k := range p.Rounds {
		p.Rounds[k].Time = 0
	}
	p.Mix = adp.Mixture{Sum: p.Mix.Sum, Top: p.Mix.Top, Total: p.Mix.Total} // as a file has it
	for _, f := range []**csr.Dense{&p.F, &p.First, &p.Mix.Sum} {
		if *f != nil {
			*f = (*f).Clone()
		}
	}
	return p
}

// sameResult compares all of two results but times.
func sameResult(t *testing.T, what string, got, want *adp.Result) {
	t.Helper()
	a, b := *got, *want
	a.Rounds, b.Rounds = slices.Clone(a.Rounds), slices.Clone(b.Rounds)
	for _, rounds := range [][]adp.Round{a.Rounds, b.Rounds} {
		for k := range rounds {
			rounds[k].Time = 0
		}
	}
	if (a.Graph == nil) != (b.Graph == nil) || a.Graph != nil && !sameGraph(a.Graph, b.Graph) {
		t.Errorf("%s: another graph", what)
	}
	a.Graph, b.Graph = nil, nil
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%s: another result", what)
	}
}

// sameGraph reports whether two graphs have the same bits, whatever else is known of them.
func sameGraph(a, b *csr.Matrix) bool {
	ap, ai, ad := a.Arrays()
	bp, bi, bd := b.Arrays()
	return slices.Equal(ap, bp) && slices.Equal(ai, bi) && slices.Equal(ad, bd)
}

// resumable are runs of all methods that can go on, on a graph that has rounds
// with a better cut, a trial of four folds, and nodes that no seed reaches.
var resumable = []struct {
	name      string
	opt       adp.Options
	snapshots int // at least
	inFolds   bool
	one       bool // seed a class: the trial is of stand-ins
}{
	{"full", adp.Options{Rounds: 4, TrialFolds: 4}, 24, true, false},
	{"full, a trial that ends early", adp.Options{Rounds: 4}, 15, true, false},
	{"full without Z and hardening", adp.Options{Zeta: -1, Harden: diffuse.Soft, MinChange: -1, Rounds: 2, TrialFolds: 4}, 15, true, false},
	{"full, alpha given", adp.Options{Alpha: 0.9, Rounds: 2, TrialFolds: 4}, 15, true, false},
	{"fast", adp.Options{Select: adp.Fast}, 6, true, false},
	{"fast, no trial", adp.Options{Select: adp.Fast, TrialFolds: -1}, 3, false, false},
	{"none", adp.Options{Select: adp.None}, 3, false, false},
	{"power", adp.Options{Select: adp.Fast, Solver: diffuse.Power, Alpha: 0.9, Rounds: 3}, 6, true, false},
	{"stand-ins", adp.Options{Rounds: 4, TrialFolds: 4}, 24, true, true},
	{"adp1", adp.Options{Method: adp.ADP1, Rounds: 12}, 8, false, false},
	{"lgc", adp.Options{Method: adp.LGC}, 1, false, false},
	{"gfhf", adp.Options{Method: adp.GFHF}, 1, false, false},
	{"poisson", adp.Options{Method: adp.Poisson}, 1, false, false},
}

// TestResume goes on from every snapshot of a run, with other numbers of
// threads: the result has the same bits as that of a run that was not stopped,
// and the snapshots that follow are those of that run.
func TestResume(t *testing.T) {
	w, many := hardPlanted(t)
	for _, test := range resumable {
		y := many
		if test.one {
			y = onePerClass(t, many)
		}
		want, err := adp.Run(context.Background(), w, y, test.opt)
		if err != nil {
			t.Fatal(err)
		}
		var snapshots []*adp.Snapshot
		inFolds := false
		opt := test.opt
		opt.Checkpoint = func(s *adp.Snapshot) error {
			snapshots = append(snapshots, copyOf(s))
			inFolds = inFolds || s.Fold != nil && len(s.Fold.Rounds) > 1
			return nil
		}
		got, err := adp.Run(context.Background(), w, y, opt)
		if err != nil {
			t.Fatal(err)
		}
		sameResult(t, test.name+", with snapshots", got, want)
		if len(snapshots) < test.snapshots || inFolds != test.inFolds {
			t.Errorf("%s: %d snapshots, in folds %v", test.name, len(snapshots), inFolds)
		}
		all := snapshots
		for k, s := range all {
			if !full() && k%4 != 3 || testing.Short() && k%7 != 3 {
				continue
			}
			opt.Threads = 1 + k%3
			opt.Observer = func(r adp.Round) {
				if r.Index < len(s.Main.Rounds) {
					t.Errorf("%s: round %d was observed again after %d", test.name, r.Index, len(s.Main.Rounds))
				}
			}
			snapshots = nil
			got, err := adp.Resume(context.Background(), w, y, opt, copyOf(s))
			if err != nil {
				t.Fatal(test.name, k, err)
			}
			sameResult(t, test.name, got, want)
			if !reflect.DeepEqual(snapshots, all[k+1:]) && len(snapshots)+len(all[k+1:]) > 0 {
				t.Errorf("%s: %d other snapshots after the %d. of %d", test.name, len(snapshots), k+1, len(all))
			}
		}
	}
}

// full reports whether tests run at their full size: ADPSPARSE_FULL=1 go test ./adp
func full() bool { return os.Getenv("ADPSPARSE_FULL") != "" }

const hardNodes = 152

// hardPlanted returns a graph whose classes are hard to tell, with 20 seeds a
// class, and a component without a seed.
func hardPlanted(t testing.TB) (*csr.Matrix, *diffuse.Seeds) {
	t.Helper()
	const n = hardNodes - 2
	src, dst, weight, class := gen.PlantedPartition(n, 3, 18/float64(n), 6/float64(n), 4)
	w := graphOf(t, n, src, dst, weight)
	indptr, indices, data := w.Arrays()
	indptr = append(slices.Clone(indptr), indptr[n]+1, indptr[n]+2)
	indices = append(slices.Clone(indices), n+1, n)
	m, err := csr.New(hardNodes, hardNodes, indptr, indices, append(slices.Clone(data), 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	var list []diffuse.Seed
	for i := range uint32(60) {
		list = append(list, diffuse.Seed{Node: i, Class: uint32(class[i]), Weight: 1})
	}
	y, err := diffuse.NewSeeds(hardNodes, 3, list)
	if err != nil {
		t.Fatal(err)
	}
	return m, y
}

// onePerClass returns the first seed of each class.
func onePerClass(t testing.TB, y *diffuse.Seeds) *diffuse.Seeds {
	t.Helper()
	var list []diffuse.Seed
	seen := make([]bool, y.Classes)
	for _, s := range y.List() {
		if !seen[s.Class] {
			list, seen[s.Class] = append(list, s), true
		}
	}
	one, err := diffuse.NewSeeds(y.Nodes, y.Classes, list)
	if err != nil {
		t.Fatal(err)
	}
	return one
}

// TestCheckpointErrors: an error of the hook ends the run.
func TestCheckpointErrors(t *testing.T) {
	w, y := hardPlanted(t)
	full := errors.New("full")
	for last := range 25 {
		if racing.On && last%4 > 0 { // the write that fails is not about threads
			continue
		}
		left := last
		_, err := adp.Run(context.Background(), w, y, adp.Options{Rounds: 3, TrialFolds: 4, Checkpoint: func(*adp.Snapshot) error {
			if left--; left < 0 {
				return full
			}
			return nil
		}})
		if err != full {
			t.Fatalf("after %d: %v", last, err)
		}
	}
	// The runs of a calibration are no part of the run.
	if _, err := adp.Calibrate(context.Background(), w, y, adp.Options{Method: adp.LGC, Checkpoint: func(*adp.Snapshot) error { return full }}, 2); err != nil {
		t.Errorf("calibration: %v", err)
	}
	if _, err := adp.Run(context.Background(), w, y, adp.Options{Method: adp.DenseADP, Checkpoint: func(*adp.Snapshot) error { return nil }}); !errors.Is(err, adp.ErrOptions) {
		t.Errorf("dense: %v", err)
	}
}

// TestResumeOfAnother: another graph, other seeds and each other option are
// refused, and the error says which differs.
func TestResumeOfAnother(t *testing.T) {
	w, y := hardPlanted(t)
	var last *adp.Snapshot
	opt := adp.Options{Rounds: 2, Checkpoint: func(s *adp.Snapshot) error {
		last = copyOf(s)
		return nil
	}}
	if _, err := adp.Run(context.Background(), w, y, opt); err != nil {
		t.Fatal(err)
	}
	refused := func(w *csr.Matrix, y *diffuse.Seeds, opt adp.Options, want string) {
		t.Helper()
		_, err := adp.Resume(context.Background(), w, y, opt, copyOf(last))
		if !errors.Is(err, adp.ErrSnapshot) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
	indptr, indices, data := w.Arrays()
	data = slices.Clone(data)
	data[len(data)-1], data[len(data)-2] = 2, 2
	other, err := csr.New(hardNodes, hardNodes, indptr, indices, data)
	if err != nil {
		t.Fatal(err)
	}
	refused(other, y, opt, "another graph")
	list := slices.Clone(y.List())
	list[7].Weight = 0.5
	seeds, err := diffuse.NewSeeds(hardNodes, 3, list)
	if err != nil {
		t.Fatal(err)
	}
	refused(w, seeds, opt, "other seeds")

	same := map[string]bool{"Threads": true, "Scratch": true, "ClassColumns": true, "Start": true, "KeepFirst": true, "Observer": true, "Progress": true, "Checkpoint": true}
	fields := reflect.TypeOf(opt)
	for k := range fields.NumField() {
		name := fields.Field(k).Name
		if same[name] || !fields.Field(k).IsExported() {
			continue
		}
		opt := opt
		switch v := reflect.ValueOf(&opt).Elem().Field(k); name {
		case "Method":
			opt.Method = adp.ADP1
		case "Hubs":
			opt.Hubs = diffuse.HubRows{Above: -1}
		case "Solver":
			opt.Solver = diffuse.Power
		case "Underflow":
			opt.Underflow = adp.LeaveUnderflow
		case "Prior":
			opt.Prior = []float64{1, 1, 2}
		case "Settings":
			opt.Settings = []adp.Setting{{TopK: 4, GraphAlpha: 0.9}}
		default:
			switch {
			case v.CanFloat():
				v.SetFloat(0.123)
			case v.Kind() == reflect.Bool:
				v.SetBool(true)
			default:
				v.SetInt(3)
			}
		}
		if name == "Balance" || name == "Harden" {
			reflect.ValueOf(&opt).Elem().Field(k).SetInt(1)
		}
		if old, ok := map[string]string{"Hubs": "Cut", "Underflow": "Faint", "BestRound": "MixPower"}[name]; ok {
			name = old
		}
		refused(w, y, opt, name+" ")
	}
	opt.Alpha = 0.99 // as by default, but not to be varied by the trial
	refused(w, y, opt, "freeAlpha")
}

// TestResumeChecks changes snapshots to what no run has: each is refused, and
// none is a panic.
func TestResumeChecks(t *testing.T) {
	w, y := hardPlanted(t)
	var snapshots []*adp.Snapshot
	opt := adp.Options{Rounds: 3, TrialFolds: 4, Checkpoint: func(s *adp.Snapshot) error {
		snapshots = append(snapshots, copyOf(s))
		return nil
	}}
	if _, err := adp.Run(context.Background(), w, y, opt); err != nil {
		t.Fatal(err)
	}
	opt.Checkpoint = nil
	var middle, inFold *adp.Snapshot
	for _, s := range snapshots {
		if s.Fold == nil && s.Main.Step == 2 && s.Main.Best > 0 {
			middle = s
		}
		if s.Fold != nil && s.Fold.Step == 2 && s.Contest.Folds == 2 && s.Fold.Best > 0 {
			inFold = s
		}
	}
	if middle == nil || inFold == nil {
		t.Fatal("the run has no such snapshots")
	}
	var pseudo *adp.Snapshot
	one, single := opt, onePerClass(t, y)
	one.Checkpoint = func(s *adp.Snapshot) error {
		if s.Fold == nil && s.Contest.Folds == 2 {
			pseudo = copyOf(s)
		}
		return nil
	}
	if _, err := adp.Run(context.Background(), w, single, one); err != nil || pseudo == nil {
		t.Fatal(err, "or no such snapshot")
	}
	one.Checkpoint = nil
	for _, ranks := range []*crossval.Ranks{&pseudo.Contest.LGC, &pseudo.Contest.ADP} {
		*ranks = (*ranks)[1:]
	}
	if _, err := adp.Resume(context.Background(), w, single, one, pseudo); !errors.Is(err, adp.ErrSnapshot) {
		t.Errorf("folds of stand-ins of different sizes: %v", err)
	}
	asymmetric, err := csr.New(hardNodes, hardNodes, append(make([]int64, hardNodes), 1), []uint32{0}, []float32{1})
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(s *adp.Snapshot){
		"no rounds":         func(s *adp.Snapshot) { s.Main.Rounds = nil },
		"index":             func(s *adp.Snapshot) { s.Main.Rounds[1].Index = 7 },
		"best":              func(s *adp.Snapshot) { s.Main.Best = len(s.Main.Rounds) },
		"negative best":     func(s *adp.Snapshot) { s.Main.Best = -1 },
		"step":              func(s *adp.Snapshot) { s.Main.Step = 4 },
		"negative step":     func(s *adp.Snapshot) { s.Main.Step = -1 },
		"setting":           func(s *adp.Snapshot) { s.Main.Setting = 99 },
		"negative setting":  func(s *adp.Snapshot) { s.Main.Setting = -1 },
		"no F of round 0":   func(s *adp.Snapshot) { s.Main.First = nil },
		"no mean":           func(s *adp.Snapshot) { s.Main.Mix.Sum = nil },
		"no weight":         func(s *adp.Snapshot) { s.Main.Mix.Total = 0 },
		"too much weight":   func(s *adp.Snapshot) { s.Main.Mix.Total = 100 },
		"another top":       func(s *adp.Snapshot) { s.Main.Mix.Top /= 2 },
		"graph alpha":       func(s *adp.Snapshot) { s.Main.Rounds[1].GraphAlpha = 1.9 },
		"alpha":             func(s *adp.Snapshot) { s.Main.Rounds[1].Alpha = 0.5 },
		"setting of LGC":    func(s *adp.Snapshot) { s.Main.Rounds[0].TopK = 5 },
		"no best graph":     func(s *adp.Snapshot) { s.Main.BestGraph = nil },
		"graph's shape":     func(s *adp.Snapshot) { s.Main.BestGraph = csr.Identity(hardNodes - 1) },
		"asymmetric":        func(s *adp.Snapshot) { s.Main.BestGraph = asymmetric },
		"shape":             func(s *adp.Snapshot) { s.Main.First = csr.NewDense(hardNodes, 4) },
		"NaN":               func(s *adp.Snapshot) { s.Main.First.Data[5] = float32(math.NaN()) },
		"Inf":               func(s *adp.Snapshot) { s.Main.Mix.Sum.Data[5] = float32(math.Inf(1)) },
		"contest":           func(s *adp.Snapshot) { s.Contest.LGC = append(s.Contest.LGC, 1) },
		"contest's alphas":  func(s *adp.Snapshot) { s.Contest.Alphas[1] = append(s.Contest.Alphas[1], 1) },
		"a rank of 0":       func(s *adp.Snapshot) { s.Contest.ADP = oneRank(s.Contest.ADP, 0) },
		"a rank above c":    func(s *adp.Snapshot) { s.Contest.Alphas[0] = oneRank(s.Contest.Alphas[0], 4) },
		"folds":             func(s *adp.Snapshot) { s.Contest.Folds = 5 },
		"negative folds":    func(s *adp.Snapshot) { s.Contest.Folds = -1 },
		"identity":          func(s *adp.Snapshot) { s.Identity.Options = nil },
		"an F in the trial": func(s *adp.Snapshot) { s.Main.F = csr.NewDense(hardNodes, 3); s.Contest.Folds++ },
	} {
		for kind, from := range map[string]*adp.Snapshot{"middle": middle, "in a fold": inFold} {
			s := copyOf(from)
			change(s)
			if _, err := adp.Resume(context.Background(), w, y, opt, s); !errors.Is(err, adp.ErrSnapshot) {
				t.Errorf("%s, %s: %v", name, kind, err)
			}
		}
	}
	for name, change := range map[string]func(s *adp.Snapshot){
		"no F":         func(s *adp.Snapshot) { s.Fold.F = nil },
		"no A":         func(s *adp.Snapshot) { s.Fold.A = nil },
		"best graph":   func(s *adp.Snapshot) { s.Fold.BestGraph = s.Fold.A },
		"two settings": func(s *adp.Snapshot) { s.Fold.Setting = 2 },
		"no gain":      func(s *adp.Snapshot) { s.Main.Best, s.Main.BestGraph, s.Main.Mix.Sum = 0, nil, nil },
		"main's step":  func(s *adp.Snapshot) { s.Main.Setting--; s.Main.Step = 1; s.Main.A = s.Fold.A },
	} {
		s := copyOf(inFold)
		change(s)
		if _, err := adp.Resume(context.Background(), w, y, opt, s); !errors.Is(err, adp.ErrSnapshot) {
			t.Errorf("fold: %s: %v", name, err)
		}
	}
}

// oneRank returns ranks with the value in one place, or a single rank if there are
// none.
func oneRank(ranks crossval.Ranks, value int32) crossval.Ranks {
	if len(ranks) == 0 {
		return crossval.Ranks{value}
	}
	ranks[0] = value
	return ranks
}

// TestWorkingOrder: rows of a snapshot are in the order of Options.NodeOrder, and a
// Resume from nothing is a Run.
func TestWorkingOrder(t *testing.T) {
	w, y := planted.Graph(t, 200, 3, 2, 5)
	var f *csr.Dense
	opt := adp.Options{Method: adp.LGC, Order: adp.DegreeOrder, Threads: 1, Checkpoint: func(s *adp.Snapshot) error {
		f = s.Main.F.Clone()
		return nil
	}}
	order, err := opt.NodeOrder(context.Background(), w)
	if err != nil {
		t.Fatal(err)
	}
	r, err := adp.Resume(context.Background(), w, y, opt, nil)
	if err != nil {
		t.Fatal(err)
	}
	moved := false
	for i, node := range order {
		moved = moved || i != int(node)
		if !slices.Equal(f.Row(i), r.F.Row(int(node))) {
			t.Fatalf("row %d of the snapshot is not that of node %d", i, node)
		}
	}
	again, err := adp.Run(context.Background(), w, y, opt)
	if err != nil || !moved || !slices.Equal(again.F.Data, r.F.Data) {
		t.Errorf("moved %t; a run gives another result than a resume from nothing, %v", moved, err)
	}
}
