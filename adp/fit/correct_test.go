package fit

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/score"
	"github.com/adp-sparse/adp-sparse/adp/stack"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestSeedsAtRandom: a class that one of many seeds is of, drawn from all nodes, does not take the nodes of others, with
// edges that join unlike nodes and words that tell little. Graphs are drawn by draw.
func TestSeedsAtRandom(t *testing.T) {
	racing.LongSum(t)
	const n, c, d, seeded = 240, 4, 60, 80
	gained := 0.0
	for draw := range uint64(4) {
		rng := rand.New(rand.NewPCG(21, draw))
		x, edges, truth := csr.NewDense(n, d), &csr.Edges{}, make([]int32, n)
		for i := range n {
			switch at := rng.Float64(); { // shares of .62, .2, .16 and .02
			case at < 0.2:
				truth[i] = 1
			case at < 0.36:
				truth[i] = 2
			case at < 0.38:
				truth[i] = 3
			}
			for range 10 {
				word := rng.IntN(d)
				if rng.Float64() < 0.35 {
					word = int(truth[i]) + c*rng.IntN(d/c)
				}
				x.Set(i, word, x.At(i, word)+1)
			}
			if i > 0 {
				edges.Src, edges.Dst = append(edges.Src, uint32(i)), append(edges.Dst, uint32(rng.IntN(i)))
			}
		}
		var seeds []diffuse.Seed
		one := false
		for i := range n {
			if truth[i] == 3 && one || len(seeds) == seeded {
				continue
			}
			one = one || truth[i] == 3
			seeds = append(seeds, diffuse.Seed{Node: uint32(i), Class: uint32(truth[i]), Weight: 1})
		}
		in := inputOf(t, x, edges, c, seeds)
		got, err := Run(context.Background(), in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		equal, err := Run(context.Background(), in, Options{Prior: EqualPrior})
		if err != nil {
			t.Fatal(err)
		}
		rare := 0
		for i, label := range got.Labels {
			if label == 3 && !in.Seeds.Mask()[i] {
				rare++
			}
		}
		accuracy, _ := score.Accuracy(got.Labels, truth, in.Seeds.Mask())
		without, _ := score.Accuracy(equal.Labels, truth, in.Seeds.Mask())
		if rare > n/20 || accuracy < without-0.05 {
			t.Errorf("draw %d: %d nodes of the class with one seed; %.3f right, %.3f without a correction; bias %v, sizes %v", draw, rare, accuracy, without, got.Combination.Bias, got.Combination.Sizes)
		}
		if bias := got.Combination.Bias[3]; bias > -0.4 { // by the left-out seeds alone about −0.3
			t.Errorf("draw %d: the bias of the class with one seed is %.2f, although the seeds tell its size", draw, bias)
		}
		gained += (accuracy - without) / 4
	}
	if gained < -0.02 { // once all nodes were of that class
		t.Errorf("mean gain %.3f over methods that take classes to be equal", gained)
	}
}

// TestForetell: with as many left-out seeds of two classes, one easy and one hard, the accuracy foretold is that of the
// nodes' classes; with few it is the share of the seeds that are right; and by the definition in between.
func TestForetell(t *testing.T) {
	p := func(class uint32, right bool) []float32 {
		if right == (class == 0) {
			return []float32{0.9, 0.1}
		}
		return []float32{0.1, 0.9}
	}
	fill := func(m int) (q *csr.Dense, classes []uint32) { // .9 of class 0 and .6 of class 1 are right
		q = csr.NewDense(0, 2)
		for k := range m {
			class, right := uint32(k%2), k/2%10 < 9
			if class == 1 {
				right = k/2%10 < 6
			}
			classes, q.Rows = append(classes, class), q.Rows+1
			q.Data = append(q.Data, p(class, right)...)
		}
		return q, classes
	}
	seeds, err := diffuse.NewSeeds(1000, 2, []diffuse.Seed{{Node: 0, Class: 0, Weight: 1}, {Node: 1, Class: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	pool := &pool{whole: &trainer{y: seeds}}
	f := csr.NewDense(1000, 2)
	for i := 2; i < 1000; i++ {
		if copy(f.Row(i), []float32{1, 0}); i%10 == 0 {
			copy(f.Row(i), []float32{0, 1})
		}
	}
	for _, test := range []struct {
		m       int
		o, want float64
	}{{20, 0, 0}, {20, 0.05, 0}, {200, 0.02, 0}, {200_000, 0, 0.9*0.9 + 0.1*0.6}} {
		q, classes := fill(test.m)
		report := &Combination{Accuracy: accuracy(q, classes) - test.o}
		for _, threads := range []int{1, 3} {
			pool.opt.Threads = threads
			got := pool.foretell(f, q, report, classes, test.o)
			half, share := float64(test.m)/2, float64(test.m)/float64(test.m+100)
			pi := 99.0 / 998 // of class 1: 10, 20, … 990
			byClass := (1-pi)*(0.9*half+2*0.75)/(half+2) + pi*(0.6*half+2*0.75)/(half+2) - test.o
			if want := (1-share)*report.Accuracy + share*byClass; math.Abs(got-want) > 1e-6 || test.want > 0 && math.Abs(got-test.want) > 0.002 {
				t.Errorf("%d left-out seeds: %v, expected %v, about %v", test.m, got, want, test.want)
			}
		}
	}
	q, classes := fill(200)
	with := &csr.Dense{Rows: 300, Cols: 2, Data: append(slices.Clone(q.Data), make([]float32, 200)...)} // 100 seeds that no other reaches
	if got := accuracy(with, append(slices.Clone(classes), make([]uint32, 100)...)); math.Abs(got-0.5) > 1e-12 {
		t.Errorf("%v right with rows of zeros, expected 150 of 300", got)
	}
	wrong := pool.foretell(f, with, &Combination{Accuracy: 0.5}, append(slices.Clone(classes), make([]uint32, 100)...), 0)
	if share, byClass := 0.75, 899./998*(90+2*0.5)/202+99./998*(60+2*0.5)/102; math.Abs(wrong-(0.25*0.5+share*byClass)) > 1e-6 {
		t.Errorf("foretold %v with rows of zeros", wrong)
	}
	if got := pool.foretell(csr.NewDense(1000, 2), f, &Combination{Accuracy: 0.7}, make([]uint32, 1000), 0); got != 0.7 {
		t.Errorf("without any probabilities: %v", got)
	}
}

// TestConfidence: the confidence of a mixture is the probability of being right, on graphs and words that tell little, some or much;
// to ask for a calibration changes nothing but what is said where left-out seeds are few.
func TestConfidence(t *testing.T) {
	racing.LongSum(t)
	ctx := context.Background()
	said, share, sharp := 0.0, 0.0, 0.0
	for _, c := range []struct {
		inside   float64
		perClass int
	}{{0.2, 8}, {0.3, 20}, {0.4, 12}, {0.5, 8}, {0.6, 8}, {0.7, 12}, {0.8, 20}, {0.3, 12}} {
		in, truth := words(t, 600, 3, 90, c.inside, c.perClass)
		r, err := Run(ctx, in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		seeds := in.Seeds.Mask()
		mean, right, n := 0.0, 0.0, 0.0
		for i, label := range r.Labels {
			if seeds[i] {
				continue
			}
			n++
			mean += float64(r.Confidence[i])
			if label == truth[i] {
				right++
			}
		}
		said, share, sharp = said+mean/n/8, share+right/n/8, sharp+r.Combination.Sharpness/8
		if math.Abs(mean-right)/n > 0.12 {
			t.Errorf("inside %g: mean confidence %.3f, %.3f are right", c.inside, mean/n, right/n)
		}
		k := r.Calibration
		if k == nil || !k.Calibrated || k.Model != nil || k.LeftOut != r.Combination.LeftOut || k.Folds != 4 || len(k.Bins) == 0 || math.Abs(k.Said()-k.Accuracy) > 0.15 {
			t.Errorf("inside %g: calibration %+v", c.inside, k)
		}
		asked, err := Run(ctx, in, Options{Calibrate: true})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(asked.F.Data, r.F.Data) || !slices.Equal(asked.Confidence, r.Confidence) {
			t.Errorf("inside %g: to ask for a calibration changes the answer", c.inside)
		}
	}
	if math.Abs(said-share) > 0.04 || sharp < 1.05 {
		t.Errorf("mean confidence %.3f, %.3f are right, sharpness %.2f; expected about the same, and above 1", said, share, sharp)
	}
	few, _ := words(t, 600, 3, 90, 0.6, 4) // 12 seeds
	for _, asked := range []bool{false, true} {
		r, err := Run(ctx, few, Options{Calibrate: asked})
		if err != nil {
			t.Fatal(err)
		}
		if (r.Calibration != nil) != asked || asked && (r.Calibration.Calibrated || r.Calibration.Reason == "") {
			t.Errorf("12 seeds, asked %v: calibration %+v", asked, r.Calibration)
		}
	}
}

// TestSharpnessOfUnlike: the power that the left-out seeds say counts as far as the nodes are like them, and the check of the confidence
// has each quarter of them by the weights and the power of the others.
func TestSharpnessOfUnlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(38, 2))
	const m, n, c = 400, 600, 3
	score := func(row []float32, class int) { // of which a softmax is too dull
		for j := range row {
			row[j] = float32(rng.NormFloat64())
		}
		row[class] += 2
	}
	var seeds []diffuse.Seed
	left := &leftOut{sizes: make([][]float64, 2), scores: make([][]float32, 2)}
	for k := range m {
		class := 0
		if k%8 > 4 {
			class = 1 + k%2
		}
		seeds = append(seeds, diffuse.Seed{Node: uint32(k), Class: uint32(class), Weight: 1})
		left.classes, left.nodes = append(left.classes, uint32(class)), append(left.nodes, uint32(k))
		for member := range left.scores {
			row := make([]float32, c)
			score(row, class)
			left.sizes[member] = append(left.sizes[member], 1)
			left.scores[member] = append(left.scores[member], row...)
		}
	}
	y, err := diffuse.NewSeeds(m+n, c, seeds)
	if err != nil {
		t.Fatal(err)
	}
	for _, like := range []bool{true, false} {
		p := &pool{whole: &trainer{y: y}, resizes: true, members: []member{{plain, onSum, 1}, {plain, onSum, 1}}}
		f, z := csr.NewDense(m+n, c), make([]float32, c)
		for i := range n {
			class := i % c
			if like {
				class = int(left.classes[i%m])
			}
			one := make([]float64, c)
			for range p.members {
				score(z, class)
				stack.Usual.Probabilities(one, z, 1)
				for j, v := range one {
					f.Row(m + i)[j] += float32(v / 2)
				}
			}
		}
		report := p.weigh(left, len(p.members), c)
		by := p.quarters(left, c)
		report.Accuracy = accuracy(p.crossed(left, by, c, nil), left.classes)
		shift := p.correct(f, report, left)
		if like && shift > 0.5 || !like && shift < 0.8 {
			t.Errorf("like %v: the nodes are %.2f unlike", like, shift)
		}
		q := p.mix(left, report, c)
		stack.AddBias(q, report.Bias, 1)
		sharp := stack.FitSharpness(q, left.classes, 2)
		if want := math.Pow(sharp, 1-shift); math.Abs(report.Sharpness-want) > 1e-9 || math.Abs(sharp-1) < 0.1 {
			t.Errorf("like %v: sharpness %v, expected %v of %v", like, report.Sharpness, want, sharp)
		}
		said := 0.0
		for q, mixture := range by {
			some, others := p.mix(left.quarter(q, c, true), mixture, c), p.mix(left.quarter(q, c, false), mixture, c)
			stack.AddBias(some, report.Bias, 1)
			stack.AddBias(others, report.Bias, 1)
			power := math.Pow(stack.FitSharpness(others, left.quarter(q, c, false).classes, 2), 1-shift)
			for k := range some.Rows {
				top, all := 0.0, 0.0
				for _, v := range some.Row(k) {
					one := math.Pow(float64(v), power)
					top, all = max(top, one), all+one
				}
				said += top / all / m
			}
		}
		checked := p.reliability(report, left, by, shift)
		if math.Abs(checked.Said()-said) > 1e-5 || checked.LeftOut != m || checked.ECE <= 0 || checked.RawECE == checked.ECE {
			t.Errorf("like %v: %v said of %d, expected %v; error %v, raw %v", like, checked.Said(), checked.LeftOut, said, checked.ECE, checked.RawECE)
		}
	}
}

// TestCrossAccuracy: of members whose scores are chance, the mixture has no skill on seeds that did not
// weigh it, though it has on those that did.
func TestCrossAccuracy(t *testing.T) {
	racing.LongSum(t)
	rng := rand.New(rand.NewPCG(7, 8))
	const m, c, methods, draws = 24, 2, 30, 40
	own, crossed, told := 0.0, 0.0, 0.0
	for range draws {
		y, err := diffuse.NewSeeds(m, c, []diffuse.Seed{{Node: 0, Class: 0, Weight: 1}, {Node: 1, Class: 1, Weight: 1}})
		if err != nil {
			t.Fatal(err)
		}
		p := &pool{whole: &trainer{y: y}}
		left := &leftOut{}
		for k := range m {
			left.classes, left.nodes = append(left.classes, uint32(k%c)), append(left.nodes, uint32(k))
		}
		for range methods {
			p.members = append(p.members, member{plain, onSum, 1})
			var sizes []float64
			var scores []float32
			for range m {
				v := float32(rng.NormFloat64())
				sizes, scores = append(sizes, 1), append(scores, v, -v)
			}
			left.sizes, left.scores = append(left.sizes, sizes), append(left.scores, scores)
		}
		whole := p.weigh(left, len(p.members), c)
		own += accuracy(p.mix(left, whole, c), left.classes) / draws
		quarters := p.quarters(left, c)
		crossed += accuracy(p.crossed(left, quarters, c, nil), left.classes) / draws
		whole.Bias, whole.Accuracy = make([]float64, c), 0.7
		told += p.reliability(whole, left, quarters, 0).Accuracy / draws
	}
	if math.Abs(told-0.5) > 0.06 {
		t.Errorf("%.3f of the left-out seeds are right where the confidence is checked, expected about 0.5", told)
	}
	if own < 0.6 || math.Abs(crossed-0.5) > 0.06 {
		t.Errorf("accuracy %.3f by own weights, %.3f by those of other folds; expected well above and about 0.5", own, crossed)
	}
}
