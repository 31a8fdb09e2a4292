package baseline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/bench"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// Set is a data set of the paper.
type Set struct {
	Name     string // coil20, yaleb:15, …
	PerClass []int  // labelled points a class; 0 for those of the published split
	Table    int    // 1 or 2; 0 for the sets of figure 2
	Note     string // how the set differs from the paper's, as far as known

	file       string // NAME of NAME.features.npy.gz and NAME.labels.tsv
	classes    int    // the first classes only; 0 for all
	l1         bool   // W is the ℓ1 graph, not the neighbour graph
	ssc        bool   // W is the graph of the ADP authors' program
	privileged string // NAME of the features that only a teacher sees
	split      string // NAME of NAME.split.tsv, the published split; empty for none
	open       bool   // the graph is ADP's own choice by the labels
}

// Sets returns the sets of the paper, those of its tables first.
func Sets() []Set {
	figure := []int{1, 3, 5, 7, 9}
	return []Set{
		{Name: "coil20", file: "coil20", Table: 1, l1: true, PerClass: []int{1, 3, 5, 7, 9, 11}, Note: "the paper's text says 1,400 images, the set has 1,440"},
		{Name: "yaleb:15", file: "yaleb", classes: 15, Table: 1, l1: true, PerClass: []int{1, 5, 9, 13, 17, 21}, Note: "the first 15 subjects, 944 images"},
		{Name: "coil20@ssc", file: "coil20", Table: 1, ssc: true, PerClass: []int{1, 3, 5, 7, 9, 11}, Note: "as coil20, on the graph of the ADP authors' program"},
		{Name: "yaleb:15@ssc", file: "yaleb", classes: 15, Table: 1, ssc: true, PerClass: []int{1, 5, 9, 13, 17, 21}, Note: "as yaleb:15, on the graph of the ADP authors' program"},
		{Name: "orl", file: "orl", Table: 2, open: true, PerClass: []int{1, 2, 3}, Note: "the paper does not state how many points are labelled: 1, 2 and 3 a class are shown, each beside its one figure; ADP chooses its graph by the labels, all others have the neighbour graph"},
		{Name: "orl@l1", file: "orl", Table: 2, l1: true, PerClass: []int{1, 2, 3}, Note: "as orl, on the ℓ1 graph of table 1: the paper does not say which of its graphs table 2 is on"},
		{Name: "wikipedia", file: "wikipedia-txt", privileged: "wikipedia-img", split: "wikipedia", open: true, Table: 2, PerClass: []int{1, 5, 10}, Note: "the paper states neither features nor labels: here the text side (100 dimensions, not the original 10 topics), the image side for GD's teacher, and 1, 5 and 10 labels a class, each beside its one figure; ADP chooses its graph by the labels"},
		{Name: "pie", file: "pie", PerClass: figure},
		{Name: "texture25", file: "texture25", PerClass: figure},
		{Name: "mpeg7", file: "mpeg7", PerClass: figure},
	}
}

// SelectSets returns the sets with the given names, or all for no names.
func SelectSets(names []string) ([]Set, error) {
	if len(names) == 0 {
		return Sets(), nil
	}
	return named("set", Sets(), func(s Set) string { return s.Name }, names)
}

// ErrMissing is wrapped where the files of a set are not in the folder.
var ErrMissing = errors.New("not in the folder")

// Published returns the set as its published split has it: 2,173 labelled points of wikipedia and 693
// to test on. Sets without one stay.
func (s Set) Published() Set {
	if s.split != "" {
		s.PerClass = []int{0}
		s.Note = "the published split, its text side in 100 dimensions, the image side for GD's teacher; ADP chooses its graph by the labels"
	}
	return s
}

// loaded is a set in memory.
type loaded struct {
	*Data
	truth   []int32 // -1 where it is not known
	classes int
	part    []string // of each point in the published split; nil where that is not asked for
}

// draw returns the labelled points of a draw, and the points that are not tested on.
func (l *loaded) draw(perClass int, seed, draw uint64) (y *diffuse.Seeds, exclude []bool, err error) {
	if l.part == nil {
		y, err = diffuse.NewSeeds(l.N(), l.classes, bench.Draw(l.truth, l.classes, perClass, seed, draw))
		if err != nil {
			return nil, nil, err
		}
		return y, y.Mask(), nil
	}
	var seeds []diffuse.Seed
	exclude = make([]bool, l.N())
	for i, part := range l.part {
		if part == "train" && l.truth[i] >= 0 {
			seeds = append(seeds, diffuse.Seed{Node: uint32(i), Class: uint32(l.truth[i]), Weight: 1})
		}
		exclude[i] = part != "test"
	}
	y, err = diffuse.NewSeeds(l.N(), l.classes, seeds)
	return y, exclude, err
}

// load reads the points and true classes of a set, and makes its graph W.
func (s Set) load(ctx context.Context, dir string, threads int) (*loaded, error) {
	d := &Data{Threads: threads, Open: s.open}
	var err error
	if d.X, err = points(dir, s.file); err != nil {
		return nil, err
	}
	l := &loaded{Data: d}
	var names []string
	if l.truth, names, err = column(dir, s.file+".labels.tsv", d.X.Rows); err != nil {
		return nil, err
	}
	l.classes = len(names)
	if s.PerClass[0] == 0 {
		if err := l.readSplit(dir, s.split); err != nil {
			return nil, err
		}
	}
	if s.privileged != "" {
		if d.Privileged, err = points(dir, s.privileged); err != nil && !errors.Is(err, ErrMissing) {
			return nil, err
		}
		if d.Privileged != nil && d.Privileged.Rows != d.X.Rows {
			return nil, fmt.Errorf("set %s: %d points, and %d of %s", s.Name, d.X.Rows, d.Privileged.Rows, s.privileged)
		}
	}
	if s.classes > 0 && s.classes < l.classes {
		d.X, l.truth = bench.FirstClasses(d.X, l.truth, s.classes)
		l.classes = s.classes
	}
	graph := KNN
	switch {
	case s.l1:
		graph = L1
	case s.ssc:
		graph = SSC
	}
	d.W, err = graph(ctx, &Problem{Data: d})
	return l, err
}

// readSplit reads NAME.split.tsv.
func (l *loaded) readSplit(dir, name string) error {
	of, parts, err := column(dir, name+".split.tsv", l.X.Rows)
	l.part = make([]string, len(of))
	for i, k := range of {
		if k >= 0 {
			l.part[i] = parts[k]
		}
	}
	return err
}

// points reads NAME.features.npy[.gz].
func points(dir, name string) (*csr.Dense, error) {
	for _, ending := range []string{".features.npy.gz", ".features.npy"} {
		path := filepath.Join(dir, name+ending)
		var x *vecs.Features
		err := bench.ReadFile(path, func(r io.Reader, size int64) (err error) {
			x, err = vecs.Read(r, path, size, vecs.Options{})
			return err
		})
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if x.Dense == nil {
			return nil, fmt.Errorf("%s: sparse features, expected dense ones", path)
		}
		return x.Dense, nil
	}
	return nil, fmt.Errorf("%s.features.npy[.gz]: %w", name, ErrMissing)
}

// column reads the second column of a file of labels or parts: of each point the number of its name,
// -1 where there is none, and the names.
func column(dir, file string, n int) (of []int32, names []string, err error) {
	path := filepath.Join(dir, file)
	err = bench.ReadFile(path, func(r io.Reader, _ int64) error {
		labels, err := labelfile.Read(r, path, ids.Sequence(n), labelfile.Options{})
		if err != nil {
			return err
		}
		names, of = labels.Classes, make([]int32, n)
		for i := range of {
			of[i] = -1
		}
		for _, s := range labels.Seeds {
			of[s.Node] = int32(s.Class)
		}
		return nil
	})
	if errors.Is(err, os.ErrNotExist) {
		err = fmt.Errorf("%s: %w", file, ErrMissing)
	}
	return of, names, err
}
