package adp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/internal/planted"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestMethodsAreWhole: no entry of the table lacks a field, names are single words that
// lead back to their methods, and no trait is of no method, or unknown.
func TestMethodsAreWhole(t *testing.T) {
	all := Trait(0)
	for m := range methodEnd {
		entry := reflect.ValueOf(methods[m])
		for k := range entry.NumField() {
			if name := entry.Type().Field(k).Name; name != "note" && entry.Field(k).IsZero() {
				t.Errorf("method %d (%v): no %s", int(m), m, name)
			}
		}
		if back, err := ParseMethod(m.String()); err != nil || back != m {
			t.Errorf("the name of method %d is that of %d, %v", int(m), int(back), err)
		}
		if name := m.String(); name != strings.ToLower(name) || strings.ContainsAny(name, " ,") {
			t.Errorf("method %d has the name %q, expected one word in small letters", int(m), name)
		}
		all |= methods[m].traits
	}
	if all != traitEnd-1 {
		t.Errorf("the methods have the traits %b, expected each of %b", all, traitEnd-1)
	}
	for _, unknown := range []Method{-1, methodEnd} {
		_, err := Options{Method: unknown}.WithDefaults(10)
		if faults := strings.Count(fmt.Sprint(err), "\n") + 1; !errors.Is(err, ErrOptions) || faults != 1 || unknown.Has(0) {
			t.Errorf("method %d: %v, expected one fault and no traits", int(unknown), err)
		}
		if name := fmt.Sprintf("Method(%d)", int(unknown)); unknown.String() != name {
			t.Errorf("method %d is %v", int(unknown), unknown)
		}
	}
	if _, err := ParseMethod("dence"); !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), `method "dence", expected one of adp, adp1, `) {
		t.Errorf("an unknown name: %v", err)
	}
}

// TestMethodsRun: each method labels the blocks of a graph, with confidences that are some,
// and says what memory it needs and what its result holds.
func TestMethodsRun(t *testing.T) {
	w, y := planted.Graph(t, 60, 3, 3, 5)
	for _, m := range Methods() {
		opt := Options{Method: m, Threads: 1}
		r, err := Run(context.Background(), w, y, opt)
		if err != nil {
			t.Errorf("%v: %v", m, err)
			continue
		}
		right := 0
		for i, label := range r.Labels {
			if label < 0 || r.Confidence[i] <= 0 || r.Confidence[i] > 1 || r.Margin[i] < 0 || r.Margin[i] > r.Confidence[i] {
				t.Fatalf("%v: node %d has label %d, confidence %v, margin %v", m, i, label, r.Confidence[i], r.Margin[i])
			}
			if int(label) == i%3 {
				right++
			}
		}
		if m != DenseADP && right < 54 { // which collapses, as the paper's form does
			t.Errorf("%v: %d of 60 labels right", m, right)
		}
		if slices.ContainsFunc(r.F.Data, func(v float32) bool { return !(v >= 0) }) {
			t.Errorf("%v: F has an entry below 0", m)
		}
		held := ResultBytes(w, 3, opt)
		if all := EstimateBytes(w, 3, opt); held < 60*(4*3+13) || all <= held-8*int64(w.NNZ()) || all <= 8*int64(w.NNZ()) {
			t.Errorf("%v: %d bytes, %d of them of the result", m, all, held)
		}
		if rounds := len(r.Rounds) - 1; m.Has(Repeats) != (rounds > 0) || rounds > opt.Steps(60, 3) {
			t.Errorf("%v: %d rounds, at most %d expected", m, rounds, opt.Steps(60, 3))
		}
	}
}

// TestMethodsLookAt: an option changes the result, or is an error, for the methods that
// have the trait it is of, or that lack it, and for no others.
func TestMethodsLookAt(t *testing.T) {
	racing.LongSum(t)
	w, y := planted.Graph(t, 30, 3, 3, 5)
	plain := Options{Select: None, Rounds: 3, MinChange: -1, Beta: 1e-30, Threads: 1}
	tested := TakesSeveral // is of what is read off F
	plainly := map[Method]string{}
	for _, m := range Methods() {
		opt := plain
		opt.Method = m
		plainly[m] = outcome(t, w, y, opt)
	}
	for _, test := range []struct {
		what    string
		trait   Trait
		refused bool // to methods without the trait; else they do not look at it
		change  func(o *Options)
	}{
		{"alpha", LooksAtAlpha, false, func(o *Options) { o.Alpha = 0.5 }},
		{"top-k", LearnsSparse, false, func(o *Options) { o.TopK = 2 }},
		{"zeta", LearnsSparse, false, func(o *Options) { o.Zeta = 3 }},
		{"anchor", LearnsSparse, false, func(o *Options) { o.Anchor = 3 }},
		{"graph alpha", LearnsSparse, false, func(o *Options) { o.GraphAlpha = 0.3 }},
		{"hardening", LearnsSparse, false, func(o *Options) { o.Harden = diffuse.Hard }},
		{"choice", LearnsSparse, false, func(o *Options) { o.Select, o.TrialFolds = Fast, -1 }},
		{"least change", Tries, false, func(o *Options) { o.MinChange = 2 }},
		{"rounds", Repeats, false, func(o *Options) { o.Rounds = 1 }},
		{"beta", Repeats, false, func(o *Options) { o.Beta = 1e30 }},
		{"solver", SolvesLGC, false, func(o *Options) { o.Solver = diffuse.Power }},
		{"start", SolvesLGC, true, func(o *Options) { o.Start = csr.NewDense(30, 3) }},
		{"faint rows", SolvesLGC, true, func(o *Options) { o.Underflow = SolveUnderflow }},
		{"tolerance", Iterates, false, func(o *Options) { o.Tolerance = 0.1 }},
		{"iterations", Iterates, false, func(o *Options) { o.MaxIterations = 1 }},
		{"prior", Weighs, false, func(o *Options) { o.Prior = []float64{9, 1, 1} }},
		{"checkpoint", KeepsSparse, true, func(o *Options) { o.Checkpoint = func(*Snapshot) error { return nil } }},
		{"scratch", KeepsSparse, true, func(o *Options) { o.Scratch = t.TempDir() }},
	} {
		tested |= test.trait
		for _, m := range Methods() {
			opt := plain
			opt.Method = m
			before := plainly[m]
			test.change(&opt)
			after, has := outcome(t, w, y, opt), m.Has(test.trait)
			switch {
			case test.refused && (after == refused) == has:
				t.Errorf("%v: %s refused: %v, but the trait: %v", m, test.what, after == refused, has)
			case !test.refused && (after != before) != has:
				t.Errorf("%v: %s changes the result: %v, but the trait: %v", m, test.what, after != before, has)
			}
		}
	}
	for _, m := range Methods() {
		opt := plain
		opt.Method = m
		r, err := Run(context.Background(), w, y, opt)
		if err != nil {
			t.Fatal(err)
		}
		if averages := r.Degrees(w, m, 1) == nil; averages != m.Has(Averages) {
			t.Errorf("%v: no degrees: %v, but the trait: %v", m, averages, m.Has(Averages))
		}
		if err := opt.forRanks(); (err == nil) != m.Has(OverRanks) {
			t.Errorf("%v: over ranks %v, but the trait: %v", m, err, m.Has(OverRanks))
		}
	}
	if tested |= Averages | OverRanks; tested != traitEnd-1 {
		t.Errorf("the traits %b are not tested", traitEnd-1&^tested)
	}
}

const refused = "refused"

// outcome is what a run depends on its options by: rounds and F, or an error.
func outcome(t *testing.T, w *csr.Matrix, y *diffuse.Seeds, opt Options) string {
	t.Helper()
	r, err := Run(context.Background(), w, y, opt)
	if errors.Is(err, ErrOptions) {
		return refused
	}
	if err != nil {
		t.Fatal(err)
	}
	sum := uint64(14695981039346656037)
	for _, v := range r.F.Data {
		sum = (sum ^ uint64(math.Float32bits(v))) * 1099511628211
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(len(r.Rounds), r.Chosen, r.Rounds[0].Solve.Iterations, sum)
}

// TestNames: as text, of none to all.
func TestNames(t *testing.T) {
	for want, got := range map[string]string{
		"":                 (Averages | Repeats).Names("or"),
		"adp":              Tries.Names("or"),
		"adp and adp1":     LearnsSparse.Names("and"),
		"adp, adp1 or lgc": OverRanks.Names("or"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if said := []string{ADP.Described(), ADP1.Described(), LGC.OnW(), Poisson.OnW()}; !slices.Equal(said, []string{"adp", "adp1 (joint variant)", "LGC", "that of Poisson learning"}) || !strings.HasPrefix(LGC.About(), "learning with local") || ADP.Rounds() != 8 || ADP1.Rounds() != 50 {
		t.Errorf("%q, %q, %d and %d rounds", said, LGC.About(), ADP.Rounds(), ADP1.Rounds())
	}
	if len(Methods()) != int(methodEnd) || len(TakesSeveral.Methods())+len(TakesSeveral.Without()) != int(methodEnd) {
		t.Errorf("%d methods of %d", len(Methods()), int(methodEnd))
	}
}

// TestRanksRefuseByField: options that runs over ranks do not support are named.
func TestRanksRefuseByField(t *testing.T) {
	err := Options{Method: GFHF, Start: &csr.Dense{}, ClassColumns: 3, Scratch: "x"}.forRanks()
	if said := strings.Split(fmt.Sprint(err), "\n"); len(said) != 4 || !errors.Is(err, ErrOptions) || !strings.Contains(said[0], "method gfhf") || !strings.Contains(said[2], "3 class columns") {
		t.Errorf("%q", said)
	}
	if err := (Options{Method: ADP1}).forRanks(); err != nil {
		t.Error(err)
	}
}
