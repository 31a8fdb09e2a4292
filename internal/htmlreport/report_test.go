package htmlreport

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/calibrate"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/picture"
)

// hostile is a name that would break out of a page that does not escape it.
const hostile = `</title></td><script>alert("x")</script>&amp;'`

// problem is a run on three communities, the last 5 of whose 200 nodes hang on
// nothing but each other.
func problem(t *testing.T, opt adp.Options) *Data {
	t.Helper()
	const n, c, apart = 200, 3, 5
	src, dst, weight, class := gen.PlantedPartition(n, c, 0.2, 0.02, 3)
	edges := &csr.Edges{}
	for k := range src {
		if src[k] < n-apart && dst[k] < n-apart {
			edges.Src, edges.Dst, edges.Weight = append(edges.Src, src[k]), append(edges.Dst, dst[k]), append(edges.Weight, weight[k])
		}
	}
	for i := uint32(n - apart); i < n-1; i++ {
		if i != n-3 { // two parts: of 3 nodes and of 2
			edges.Src, edges.Dst, edges.Weight = append(edges.Src, i), append(edges.Dst, i+1), append(edges.Weight, 1)
		}
	}
	w, _, err := csr.FromEdges(n, edges, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	labels := make([]int, n)
	for i := range labels {
		labels[i] = -1
		if i < 30 {
			labels[i] = class[i]
		}
	}
	y, err := diffuse.HardSeeds(labels)
	if err != nil {
		t.Fatal(err)
	}
	result, err := adp.Run(context.Background(), w, y, opt)
	if err != nil {
		t.Fatal(err)
	}
	return &Data{
		Title: hostile, Summary: []string{"words " + hostile}, Warnings: []adp.Warning{{Code: "code", Message: hostile}},
		Settings: []Setting{{"graph", hostile}}, Command: "adp-sparse run " + hostile, Version: "test",
		W: w, Seeds: y, Result: result, Learned: result.Rounds[result.Chosen].TopK != 0, Classes: []string{"a", hostile, "c"},
		Name: func(i int) string { return fmt.Sprint("n", i, hostile) },
	}
}

// elements parses a page as XML, with what HTML leaves open closed, and returns
// its elements by name and its text.
func elements(t *testing.T, text string) (tags map[string]int, words string) {
	t.Helper()
	tags = map[string]int{}
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return tags, words
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			tags[token.Name.Local]++
			for _, a := range token.Attr {
				if a.Name.Local == "src" || a.Name.Local == "href" || strings.HasPrefix(a.Name.Local, "on") {
					t.Errorf("<%s> has an attribute %s", token.Name.Local, a.Name.Local)
				}
			}
		case xml.CharData:
			words += string(token)
		}
	}
}

// TestPage: the page has all parts, names are text in it, nothing is fetched,
// and the bytes are the same again.
func TestPage(t *testing.T) {
	// One setting, and its last round: a learned graph.
	d := problem(t, adp.Options{Select: adp.None, MinConfidence: 0.6})
	d.Calibration = &adp.Calibration{
		Calibrated: true, LeftOut: 1041, Bins: []calibrate.Bin{{Cases: 21, Mean: 0.812, Right: 0.762}, {Cases: 20, Mean: 0.95, Right: 1}}, ECE: 0.123,
		Model: &calibrate.Model{},
	}
	var page, again bytes.Buffer
	if err := errors.Join(New(t.Context(), d).Write(&page), New(t.Context(), d).Write(&again)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(page.Bytes(), again.Bytes()) {
		t.Error("the second page differs")
	}
	tags, words := elements(t, page.String())
	if tags["script"] > 0 || tags["link"] > 0 || tags["img"] > 0 || tags["iframe"] > 0 {
		t.Errorf("elements %v", tags)
	}
	if strings.Contains(page.String(), "http:") || strings.Contains(page.String(), "https:") || strings.Contains(page.String(), "url(") {
		t.Error("the page names an address")
	}
	// Two drawings, four charts of rounds, two of spreads, the reliability, and
	// the swatches of the legends (classes and no label; two settings), of classes and of
	// least sure labels.
	if want := 2 + 4 + 2 + 1 + 4 + 2 + 3 + 2*10; tags["svg"] != want {
		t.Errorf("%d pictures, expected %d", tags["svg"], want)
	}
	for _, want := range []string{
		"words " + hostile, "graph before and after", "0.812", "0.762", "0.123", "195", "adp-sparse run " + hostile, "n195" + hostile,
		"5 nodes in 2 components have no label", "code", "all start from round 0", "← result",
		"The least sure ones, the smallest margin first. Their confidence can say far too much: it is fitted to 1,041 left-out seeds",
		"holds on average over the nodes: each tenth of them, by margin, is like about a tenth of the 1,041 left-out seeds",
		"unreached: no label", "share of labels changed", " k 5, anchor 0.5, α_A 0.9\n",
	} {
		if !strings.Contains(words, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Count(page.String(), `width=device-width`) != 1 || !strings.Contains(page.String(), "prefers-color-scheme:dark") {
		t.Error("the page is not made for phones and the dark")
	}
	if _, print, _ := strings.Cut(page.String(), "@media print{"); !strings.Contains(print, "max-height:none") || !strings.Contains(print, "pre-wrap") {
		t.Error("the page is cut on paper")
	}
}

// TestBelow: what goes on below the edge of a table or legend of fixed height has a sign
// there, and the round of the result is in view wherever it stands; on paper all is there.
func TestBelow(t *testing.T) {
	d := problem(t, adp.Options{Select: adp.None})
	says := func() string {
		var page bytes.Buffer
		if err := New(t.Context(), d).Write(&page); err != nil {
			t.Fatal(err)
		}
		return page.String()
	}
	const scrolls = "The table scrolls; the round of the result stays in view."
	few := says()
	if strings.Contains(few, scrolls) || !strings.Contains(few, fmt.Sprintf("All %d rounds", len(d.Result.Rounds))) {
		t.Error("a short table is said to scroll, or its rounds are not counted")
	}
	for len(d.Result.Rounds) <= fittingRounds {
		d.Result.Rounds = append(d.Result.Rounds, d.Result.Rounds[1])
	}
	page := says()
	screen, print, _ := strings.Cut(page, "@media print{")
	for _, want := range []string{"tr.result th,tr.result td{position:sticky;bottom:0;", ".scroll,.legend{overflow-y:auto;", "bottom/100% 1rem no-repeat scroll"} {
		if !strings.Contains(screen, want) {
			t.Errorf("the style has no %q", want)
		}
	}
	if !strings.Contains(page, scrolls) || !strings.Contains(print, "tr.result td{position:static") || !strings.Contains(print, ".screen{display:none}") {
		t.Error("a long table is not said to scroll, or is said to on paper")
	}
}

// TestRoundCharts: no tick is above what the measure can be, the ring of the result
// covers no figure, and a picture of its own names its lines.
func TestRoundCharts(t *testing.T) {
	d := problem(t, adp.Options{Select: adp.None})
	for k := range d.Result.Rounds {
		d.Result.Rounds[k].Association = 1 - 1e-4*float64(k)
	}
	d.Result.Chosen = 0
	chart := New(t.Context(), d).Pictures()[2]
	var ring picture.Item
	figures, words := 0.0, ""
	for _, item := range chart.Items {
		switch {
		case item.Ring:
			ring = item
		case item.Kind == picture.Text && item.Anchor == picture.End && strings.Contains(item.Words, "."):
			figures = max(figures, item.At.X)
			if v, err := strconv.ParseFloat(item.Words, 64); err != nil || v > 1 {
				t.Errorf("a tick %q of the cut", item.Words)
			}
		case item.Kind == picture.Text:
			words += item.Words + "\n"
		}
	}
	if figures == 0 || ring.At.X-2*ring.Radius < figures {
		t.Errorf("the ring at %v, figures up to %v", ring.At.X, figures)
	}
	if !strings.HasPrefix(words, "0\n1\n") {
		t.Errorf("rounds at %q, expected 0 and 1", words)
	}
	if !strings.Contains(words, "original graph\nk 5, anchor 0.5, α_A 0.9\n") {
		t.Errorf("no names of lines in %q", words)
	}
}

// TestWonAndLost: seeds on which both agree are not counted as two noughts.
func TestWonAndLost(t *testing.T) {
	d := problem(t, adp.Options{Select: adp.None})
	for want, trial := range map[string]adp.Trial{
		"none was right by one of the two and wrong by the other": {Folds: 4, LeftOut: 9},
		"Of 9 seeds": {Folds: 4, LeftOut: 9},
		"2 right by the learned graphs alone, 1,000 by LGC alone.":                                                  {Folds: 4, LeftOut: 9, Won: 2, Lost: 1000, Lead: -31},
		"wrong by the other; by the ranks of the right classes the learned graphs lead by 1.0 standard deviations.": {Folds: 4, LeftOut: 9, Lead: 1.02},
		"1 by LGC alone; by the ranks of the right classes LGC leads by 0.3 standard deviations.":                   {Folds: 4, LeftOut: 9, Won: 2, Lost: 1, Lead: -0.3},
		"1 by LGC alone; by the ranks of the right classes neither leads.":                                          {Folds: 4, LeftOut: 9, Won: 2, Lost: 1},
		"Of 150 nodes on whose label":                          {Folds: 4, PseudoLabels: 150},
		"3 right by the learned graphs alone, 2 by LGC alone.": {Folds: 4, PseudoLabels: 150, Won: 3, Lost: 2, Lead: 0.04},
	} {
		d.Result.Trial = &trial
		var page bytes.Buffer
		if err := New(t.Context(), d).Write(&page); err != nil || !strings.Contains(page.String(), want) {
			t.Errorf("%v, or no %q", err, want)
		}
	}
}

// TestPictures: each has its name, and there is one also where there is nothing
// to draw.
func TestPictures(t *testing.T) {
	d := problem(t, adp.Options{Method: adp.LGC})
	if d.Learned {
		t.Fatal("LGC has no learned graph")
	}
	pictures := New(t.Context(), d).Pictures()
	if len(pictures) != len(Names) {
		t.Fatalf("%d pictures, %d names", len(pictures), len(Names))
	}
	for k, p := range pictures {
		var file bytes.Buffer
		if err := p.WriteSVG(&file); err != nil || p.Name != Names[k] || p.Width < 100 {
			t.Errorf("picture %d: %v, %s %v", k, err, p.Name, p.Width)
		}
	}
	var page bytes.Buffer
	if err := New(t.Context(), d).Write(&page); err != nil || strings.Contains(page.String(), "Learned:") {
		t.Errorf("%v, or a learned graph is shown", err)
	}
}

// TestBothGraphs: the picture of both graphs has the marks of each, the learned ones beside the
// given ones, and the names of the classes; without a learned graph it is half as wide.
func TestBothGraphs(t *testing.T) {
	d := problem(t, adp.Options{Select: adp.None})
	last := func() Picture { all := New(t.Context(), d).Pictures(); return all[len(all)-1] }
	marks := func(p *picture.Picture) (n int, right float64) {
		for _, item := range p.Items {
			if item.Kind == picture.Mark {
				n++
				right = max(right, item.At.X)
			}
		}
		return n, right
	}
	p := last()
	one, _ := marks(New(t.Context(), d).drawings.Original)
	all, right := marks(p.Picture)
	if p.Name != "graphs" || all != 2*one+len(d.Classes) || p.Width != 2*sketchSize || right <= sketchSize {
		t.Errorf("%s: %d marks, expected two of each of %d and %d of classes; %v wide, the last at %v", p.Name, all, one, len(d.Classes), p.Width, right)
	}
	d.Learned = false
	if p := last(); p.Width != sketchSize {
		t.Errorf("%v wide without a learned graph", p.Width)
	}
}

// TestClassRows against a count of its own.
func TestClassRows(t *testing.T) {
	d := problem(t, adp.Options{Select: adp.None, MinConfidence: 0.6})
	for j, row := range d.classRows() {
		seeds, predicted, unsure, sum := 0, 0, 0, 0.0
		for i := range d.Result.Labels {
			if int(d.Result.Labels[i]) != j {
				continue
			}
			switch d.Result.Status[i] {
			case adp.Seed:
				seeds++
				continue
			case adp.Uncertain:
				unsure++
			}
			predicted++
			sum += float64(d.Result.Confidence[i])
		}
		want := [4]string{fmt.Sprint(seeds), fmt.Sprint(predicted), fmt.Sprint(unsure), fmt.Sprintf("%.3f", sum/float64(predicted))}
		if got := [4]string{row.Seeds, row.Predicted, row.Unsure, row.Confidence}; got != want || unsure == 0 {
			t.Errorf("class %d: %v, expected %v", j, got, want)
		}
	}
}

// TestUnsure: the predicted nodes of the smallest margins, smallest first, by a
// full sort.
func TestUnsure(t *testing.T) {
	d := problem(t, adp.Options{Select: adp.None})
	var nodes []int
	for i, s := range d.Result.Status {
		if s == adp.Predicted || s == adp.Uncertain {
			nodes = append(nodes, i)
		}
	}
	slices.SortStableFunc(nodes, func(a, b int) int {
		return int(math.Copysign(1, float64(d.Result.Margin[a]-d.Result.Margin[b])))
	})
	rows := d.unsure(7)
	if len(rows) != 7 {
		t.Fatal(len(rows))
	}
	for k, row := range rows {
		if row.Node != d.Name(nodes[k]) || row.Label == row.RunnerUp {
			t.Errorf("%d: %v, expected node %d", k, row, nodes[k])
		}
	}
}

// TestSample: each class has its share, from its seeds on and along its edges;
// the order of nodes is kept.
func TestSample(t *testing.T) {
	d := problem(t, adp.Options{Select: adp.None})
	labels, most := d.Result.Labels, 60
	nodes := sample(d.W, labels, 3, d.seedNodes(), most)
	if !slices.IsSorted(nodes) || len(slices.Compact(slices.Clone(nodes))) != len(nodes) || len(nodes) > most || len(nodes) < most-4 {
		t.Fatal(nodes)
	}
	count := func(of []int) (sizes [4]int) {
		for _, i := range of {
			sizes[classOf(labels, i, 3)]++
		}
		return sizes
	}
	all := make([]int, len(labels))
	for i := range all {
		all[i] = i
	}
	whole := count(all)
	for j, got := range count(nodes) {
		if want := float64(whole[j]) * float64(most) / float64(len(labels)); math.Abs(float64(got)-want) > 1 || got == 0 {
			t.Errorf("class %d: %d nodes, expected about %.1f of %d", j, got, want, whole[j])
		}
	}
	isSeed := d.Seeds.Mask()
	for _, i := range nodes { // all hang on a seed or on each other: the graph is dense enough
		cols, _ := d.W.Row(i)
		ok := isSeed[i] || labels[i] < 0
		for _, j := range cols {
			_, in := slices.BinarySearch(nodes, int(j))
			ok = ok || in && labels[j] == labels[i]
		}
		if !ok {
			t.Errorf("node %d is alone", i)
		}
	}
	if got := sample(d.W, labels, 3, d.seedNodes(), 200); !slices.Equal(got, all) {
		t.Error("all nodes are few enough, but not all are taken")
	}
}

// TestShares: sums and bounds hold for any sizes.
func TestShares(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		sizes, sum, used := make([]int, 1+r.IntN(40)), 0, 0
		for j := range sizes {
			sizes[j] = r.IntN(3) * r.IntN(1+r.IntN(1000))
			sum += sizes[j]
			used += min(sizes[j], 1)
		}
		if sum < 2 {
			continue
		}
		total, got := 1+r.IntN(sum-1), 0
		for j, quota := range shares(sizes, total) {
			got += quota
			if quota < 0 || quota > sizes[j] || total >= 4*used && sizes[j] > 0 && quota == 0 {
				t.Fatalf("%v of %d: class %d gets %d", sizes, total, j, quota)
			}
		}
		if got > total || got < total-len(sizes) {
			t.Fatalf("%v of %d: %d given", sizes, total, got)
		}
	}
}

// TestEdgesOf: all edges between the nodes, each once; of a few, the heaviest of
// each node.
func TestEdgesOf(t *testing.T) {
	d := problem(t, adp.Options{Select: adp.None})
	nodes := []int{}
	for i := 0; i < 200; i += 2 {
		nodes = append(nodes, i)
	}
	want := map[[2]int]float64{}
	heaviest := make([]float64, len(nodes))
	for a, i := range nodes {
		for b, j := range nodes {
			if v := d.Result.Graph.At(i, j); v > 0 && a < b {
				want[[2]int{a, b}] = v
				heaviest[a], heaviest[b] = max(heaviest[a], v), max(heaviest[b], v)
			}
		}
	}
	edges, all := edgesOf(d.Result.Graph, nodes, 1e6)
	if all != len(want) || len(edges) != all {
		t.Fatalf("%d edges of %d, expected %d", len(edges), all, len(want))
	}
	for _, e := range edges {
		if want[[2]int{e.a, e.b}] != e.weight {
			t.Errorf("%v", e)
		}
	}
	few, _ := edgesOf(d.Result.Graph, nodes, len(nodes))
	seen := make([]float64, len(nodes))
	for _, e := range few {
		seen[e.a], seen[e.b] = max(seen[e.a], e.weight), max(seen[e.b], e.weight)
	}
	if len(few) != len(nodes) || !slices.Equal(seen, heaviest) {
		t.Error("the heaviest edge of a node is missing")
	}
}

// TestLayout: two cliques joined by an edge come apart, and no places are equal
// or infinite, also of graphs without edges.
func TestLayout(t *testing.T) {
	const size = 12
	var edges []edge
	for a := range 2 * size {
		for b := a + 1; b < 2*size; b++ {
			if (a < size) == (b < size) {
				edges = append(edges, edge{a, b, 1})
			}
		}
	}
	edges = append(edges, edge{0, size, 1})
	for _, start := range [][]r2.Vec{nil, layout(t.Context(), 2*size, edges, nil)} {
		at := layout(t.Context(), 2*size, edges, start)
		inside, between := 0.0, math.Inf(1)
		for a := range at {
			for b := range a {
				d := r2.Norm(r2.Sub(at[a], at[b]))
				if (a < size) == (b < size) {
					inside = max(inside, d)
				} else if a != size && b != 0 {
					between = min(between, d)
				}
				if !(d > 0) {
					t.Errorf("nodes %d and %d lie at one place", a, b)
				}
			}
		}
		if !(between > 0.5*inside) {
			t.Errorf("%g between the cliques, up to %g inside", between, inside)
		}
	}
	for _, n := range []int{1, 2, 50} {
		for i, at := range layout(t.Context(), n, nil, nil) {
			if math.IsNaN(at.X+at.Y) || math.IsInf(at.X+at.Y, 0) {
				t.Errorf("node %d of %d without edges is at %v", i, n, at)
			}
		}
	}
}

// TestLayoutOfOddWeights: no weights of a component, such as 0 alone, make places
// that are not finite.
func TestLayoutOfOddWeights(t *testing.T) {
	const small, big = math.SmallestNonzeroFloat32, math.MaxFloat32
	for _, w := range [][3]float64{{0, 0, 0}, {0, 1, 0}, {small, 0, big}, {small, small, small}, {math.Inf(1), 1, 1}, {math.NaN(), 1, 1}} {
		edges := []edge{{0, 1, w[0]}, {2, 3, w[1]}, {3, 4, w[2]}}
		at := layout(t.Context(), 5, edges, nil)
		for i, v := range slices.Concat(at, layout(t.Context(), 5, edges, at)) {
			if math.IsNaN(v.X+v.Y) || math.IsInf(v.X+v.Y, 0) {
				t.Errorf("weights %v: node %d is at %v", w, i%5, v)
			}
		}
	}
}

// TestLayoutOfThinGraphs: a long ladder is unfolded, whatever the weights of its rungs,
// and components lie side by side.
func TestLayoutOfThinGraphs(t *testing.T) {
	const size = 300
	r := rand.New(rand.NewPCG(5, 5))
	number := r.Perm(3 * size) // nothing is to be learned from the numbers of nodes
	var edges []edge
	for part := range 3 {
		for i := range size {
			for _, j := range []int{i + 1, i + 2} {
				if j < size {
					edges = append(edges, edge{number[part*size+i], number[part*size+j], math.Exp(-10 * r.Float64())})
				}
			}
		}
	}
	at := layout(t.Context(), 3*size, edges, nil)
	var boxes [3]r2.Box
	for part := range boxes {
		boxes[part].Min, boxes[part].Max = at[number[part*size]], at[number[part*size]]
		for i := range size {
			v := at[number[part*size+i]]
			boxes[part].Min = r2.Vec{X: min(boxes[part].Min.X, v.X), Y: min(boxes[part].Min.Y, v.Y)}
			boxes[part].Max = r2.Vec{X: max(boxes[part].Max.X, v.X), Y: max(boxes[part].Max.Y, v.Y)}
		}
	}
	for a := range boxes {
		for b := range a {
			if p, q := boxes[a], boxes[b]; p.Min.X < q.Max.X && q.Min.X < p.Max.X && p.Min.Y < q.Max.Y && q.Min.Y < p.Max.Y {
				t.Errorf("components %d and %d overlap: %v, %v", a, b, p, q)
			}
		}
	}
	mean := 0.0
	for _, e := range edges {
		mean += r2.Norm(r2.Sub(at[e.a], at[e.b])) / float64(len(edges))
	}
	across := r2.Norm(boxes[0].Size())
	if mean > 0.05*across {
		t.Errorf("the mean edge is %.3g long, a component %.3g across", mean, across)
	}
}

// TestSpread: every degree falls in the bin that says so, bins leave no gap, and
// the counts, ends and means are those of the rows.
func TestSpread(t *testing.T) {
	next := 0
	for bin := range 80 {
		middle, width := degreeOf(bin)
		if low := middle - (width-1)/2; low != float64(next) {
			t.Fatalf("bin %d begins at %v, expected %d", bin, low, next)
		}
		for range int(width) {
			if degreeBin(next) != bin {
				t.Fatalf("degree %d is in bin %d, expected %d", next, degreeBin(next), bin)
			}
			next++
		}
	}
	d := problem(t, adp.Options{Select: adp.None})
	a := d.Result.Graph // with its diagonal
	var degree []float64
	var weight []float64
	for i := range 200 {
		count := 0.0
		for j := range 200 {
			if v := a.At(i, j); v != 0 && i != j {
				count++
				if i < j {
					weight = append(weight, v)
				}
			}
		}
		degree = append(degree, count)
	}
	for what, pair := range map[string]struct {
		got  spread
		want []float64
	}{"degrees": {degrees(a), degree}, "weights": {weights(a), weight}} {
		sum, binned := 0.0, 0
		for _, v := range pair.want {
			sum += v
		}
		for _, count := range pair.got.bins {
			binned += count
		}
		mean := sum / float64(len(pair.want))
		if pair.got.Count != len(pair.want) || binned != len(pair.want) || pair.got.Min != slices.Min(pair.want) || pair.got.Max != slices.Max(pair.want) || math.Abs(pair.got.Mean-mean) > 1e-9*mean {
			t.Errorf("%s: %+v, expected %d, mean %v", what, pair.got, len(pair.want), mean)
		}
	}
}

// TestSharesAddUp: a point of the charts of degrees and weights is the share of all that
// is in its bin, however many degrees the bin has: a ring has all nodes in one, and the
// shares of a graph add up to 1.
func TestSharesAddUp(t *testing.T) {
	var many spread
	for degree := range 1000 {
		many.add(float64(degree), degreeBin(degree))
	}
	place := func(bin int) float64 { at, _ := degreeOf(bin); return at }
	sum := 0.0
	for _, p := range many.shares(place) {
		sum += p.Y
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("shares add up to %v", sum)
	}
	var same spread
	for range 40 {
		same.add(40, degreeBin(40))
	}
	if got := same.shares(place); len(got) != 1 || got[0].Y != 1 {
		t.Errorf("all nodes of one degree: %v", got)
	}
	// The axis of a chart reaches to the largest share: its mark lies at the top.
	c := (&twin{Before: same}).degreeChart(false)
	if want := c.At(36.5, 1); !slices.ContainsFunc(c.Items, func(i picture.Item) bool {
		return i.Kind == picture.Mark && math.Abs(i.At.Y-want.Y) < 1e-6 && i.Radius == 2.6
	}) {
		t.Errorf("no mark at the share 1: %+v", c.Items)
	}
}

// TestEmptyGraph: a graph without edges has a page.
func TestEmptyGraph(t *testing.T) {
	w, _, err := csr.FromEdges(3, &csr.Edges{}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	y, err := diffuse.HardSeeds([]int{0, 1, -1})
	if err != nil {
		t.Fatal(err)
	}
	result, err := adp.Run(context.Background(), w, y, adp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := &Data{W: w, Seeds: y, Result: result, Classes: []string{"a", "b"}, Name: func(i int) string { return fmt.Sprint(i) }}
	var page bytes.Buffer
	if err := New(t.Context(), d).Write(&page); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(page.String(), "NaN") || strings.Contains(page.String(), "Inf") || !strings.Contains(page.String(), "1 node in 1 component has") {
		t.Error(page.String())
	}
}

// TestPageOfMixture: what holds of the confidence of one method is not said of a mixture's.
func TestPageOfMixture(t *testing.T) {
	d := problem(t, adp.Options{Select: adp.None, MinConfidence: 0.6})
	d.Calibration = &adp.Calibration{Calibrated: true, LeftOut: 40, Bins: []calibrate.Bin{{Cases: 40, Mean: 0.8, Right: 0.75}}, ECE: 0.05, RawECE: 0.01}
	var page bytes.Buffer
	if err := New(t.Context(), d).Write(&page); err != nil {
		t.Fatal(err)
	}
	_, words := elements(t, page.String())
	for _, want := range []string{"Is the confidence right?", "0.050 on 40 left-out seeds, each judged by a mixture that others weigh."} {
		if !strings.Contains(words, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, other := range []string{"far too much", "raw confidence", "by margin"} {
		if strings.Contains(words, other) {
			t.Errorf("the page says %q", other)
		}
	}
}
