package htmlreport

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/picture"
)

// drawings are the graphs before and after, of the same nodes.
type drawings struct {
	Original, Learned *picture.Picture // Learned is nil where no graph was learned
	Nodes             int
	Drawn, All        [2]int // edges, of the sample
	Unlabelled        bool   // there are nodes without a label among them
}

func (d *Data) draw(ctx context.Context) *drawings {
	after := d.Result.Graph
	seeds := d.seedNodes()
	nodes := sample(after, d.Result.Labels, len(d.Classes), seeds, MostNodes)
	out := &drawings{Nodes: len(nodes)}
	out.Unlabelled = slices.ContainsFunc(nodes, func(i int) bool { return d.Result.Labels[i] < 0 })
	edges, all := edgesOf(d.W, nodes, mostEdges)
	out.Drawn[0], out.All[0] = len(edges), all
	at := layout(ctx, len(nodes), edges, nil)
	out.Original = d.sketch("the original graph", nodes, edges, at)
	if d.Learned {
		edges, all = edgesOf(after, nodes, mostEdges)
		out.Drawn[1], out.All[1] = len(edges), all
		out.Learned = d.sketch("the learned graph", nodes, edges, layout(ctx, len(nodes), edges, at))
	}
	return out
}

// seedNodes returns the nodes with seeds, each once.
func (d *Data) seedNodes() (nodes []int) {
	for _, s := range d.Seeds.List() {
		if i := int(s.Node); len(nodes) == 0 || nodes[len(nodes)-1] != i {
			nodes = append(nodes, i)
		}
	}
	return nodes
}

const (
	sketchSize   = 480
	sketchMargin = 12
)

// sketch draws nodes and edges: edges between classes are red, seeds have a
// ring and lie on top.
func (d *Data) sketch(what string, nodes []int, edges []edge, at []r2.Vec) *picture.Picture {
	p := &picture.Picture{Title: "Drawing of " + what + ", coloured by class", Width: sketchSize, Height: sketchSize}
	place := fit(at, sketchSize, sketchMargin)
	label := func(k int) int32 { return d.Result.Labels[nodes[k]] }
	var inside, between [][]picture.Point
	for _, e := range edges {
		line := []picture.Point{place[e.a], place[e.b]}
		if label(e.a) == label(e.b) {
			inside = append(inside, line)
		} else {
			between = append(between, line)
		}
	}
	thin := min(0.9, math.Sqrt(400/float64(len(edges)+1)))
	for _, kind := range []struct {
		lines [][]picture.Point
		ink   picture.Ink
	}{{inside, picture.Faint}, {between, picture.Rosy}} {
		if len(kind.lines) > 0 {
			p.Items = append(p.Items, picture.Item{Kind: picture.Line, Lines: kind.lines, Ink: kind.ink, Width: max(thin, 0.3)})
		}
	}
	radius := min(max(60/math.Sqrt(float64(len(nodes))), 2.2), 6)
	isSeed := d.Seeds.Mask()
	for _, seeds := range []bool{false, true} {
		for k, i := range nodes {
			if isSeed[i] != seeds {
				continue
			}
			mark := picture.Item{Kind: picture.Mark, At: place[k], Radius: radius, Ink: picture.Soft, Ring: seeds, Title: d.about(i)}
			if j := label(k); j >= 0 {
				mark.Ink, mark.Form = picture.Class(int(j)), picture.FormOf(int(j))
			}
			p.Items = append(p.Items, mark)
		}
	}
	return p
}

// both is the graphs side by side with the names of the classes, for pages that have room for
// one picture; the original one alone where none was learned. What pointing at a node tells is
// left out, which is most of a drawing.
func (d *Data) both(of *drawings) *picture.Picture {
	const head, row, ring = 28, 20, 130
	out := &picture.Picture{Title: "The graph before and after, coloured by class", Width: sketchSize}
	for k, part := range []*picture.Picture{of.Original, of.Learned} {
		if part == nil {
			continue
		}
		left := float64(k * sketchSize)
		out.Width = left + sketchSize
		out.Text(picture.Point{X: left + sketchSize/2, Y: 20}, [...]string{"given graph", "learned graph"}[k], 15, picture.Middle, picture.Strong)
		for _, item := range part.Items {
			out.Items = append(out.Items, item.Moved(left, head))
		}
	}
	at := picture.Point{X: sketchMargin, Y: head + sketchSize + row}
	for j, class := range d.Classes {
		if at.X+legendStep(short(class))+ring > out.Width {
			at = picture.Point{X: sketchMargin, Y: at.Y + row}
		}
		out.Mark(at, 5, picture.Class(j), picture.FormOf(j), "")
		out.Text(picture.Point{X: at.X + 10, Y: at.Y + 4}, short(class), 13, picture.Start, picture.Strong)
		at.X += legendStep(short(class))
	}
	out.Text(picture.Point{X: out.Width - sketchMargin, Y: at.Y + 4}, "ring: known label", 13, picture.End, picture.Soft)
	out.Height = at.Y + row
	return out
}

// legendStep is the room of a class in a legend: its mark, and letters of about 8.
func legendStep(name string) float64 { return float64(30 + 8*len([]rune(name))) }

// about describes a node in a line.
func (d *Data) about(i int) string {
	name, status := short(d.Name(i)), d.Result.Status[i].String()
	if d.Result.Labels[i] < 0 {
		return fmt.Sprintf("%s: %s", name, status)
	}
	return fmt.Sprintf("%s: %s, %s, confidence %.3f", name, short(d.class(d.Result.Labels[i])), status, d.Result.Confidence[i])
}

// short bounds the length of a name.
func short(name string) string {
	const most = 60
	letters := []rune(name)
	if len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return name
}

// fit scales places to a square with a margin.
func fit(at []r2.Vec, size, margin float64) []picture.Point {
	low, high := r2.Vec{X: math.Inf(1), Y: math.Inf(1)}, r2.Vec{X: math.Inf(-1), Y: math.Inf(-1)}
	for _, v := range at {
		low = r2.Vec{X: min(low.X, v.X), Y: min(low.Y, v.Y)}
		high = r2.Vec{X: max(high.X, v.X), Y: max(high.Y, v.Y)}
	}
	width := max(high.X-low.X, high.Y-low.Y, 1e-9)
	scale := (size - 2*margin) / width
	middle := r2.Scale(0.5, r2.Add(low, high))
	places := make([]picture.Point, len(at))
	for k, v := range at {
		places[k] = picture.Point{X: size/2 + scale*(v.X-middle.X), Y: size/2 + scale*(v.Y-middle.Y)}
	}
	return places
}

// seedless is a component that no seed is in.
type seedless struct {
	Size  int
	Nodes []string // the first few
	More  bool
}

// mostComponents is the number of components that are listed.
const mostComponents = 20

// seedless returns the largest components without a seed, and the numbers of all
// of them and of their nodes.
func (d *Data) seedless() (list []seedless, count, nodes int) {
	of, sizes := csr.Components(d.W, 0)
	for _, i := range d.seedNodes() {
		sizes[of[i]] = 0
	}
	var open []int
	for c, size := range sizes {
		if size > 0 {
			open = append(open, c)
			nodes += size
		}
	}
	rank := map[uint32]int{}
	for _, c := range largest(open, sizes, mostComponents) {
		rank[uint32(c)] = len(list)
		list = append(list, seedless{Size: sizes[c]})
	}
	const few = 3
	for i, c := range of {
		if k, ok := rank[c]; ok {
			if len(list[k].Nodes) < few {
				list[k].Nodes = append(list[k].Nodes, d.Name(i))
			} else {
				list[k].More = true
			}
		}
	}
	return list, len(open), nodes
}
