package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
)

// Set is a data set in a folder.
type Set struct {
	Name string
	dir  string
}

// Sets returns the named sets of a folder; it is an error if one has no edge
// list.
func Sets(dir string, names []string) ([]Set, error) {
	var sets []Set
	for _, name := range names {
		s := Set{Name: name, dir: dir}
		if _, err := s.path(".edges.tsv.gz", ".edges.tsv"); err != nil {
			return nil, err
		}
		sets = append(sets, s)
	}
	return sets, nil
}

// path returns the first of the set's files with the given endings that is
// there.
func (s Set) path(endings ...string) (string, error) {
	for _, ending := range endings {
		path := filepath.Join(s.dir, s.Name+ending)
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("set %s: no file %s%s in %s", s.Name, s.Name, strings.Join(endings, " or "+s.Name), s.dir)
}

// Graph is a set in memory: its graph and the true class of each node (−1
// where it is not known).
type Graph struct {
	*edgelist.Graph
	Truth   []int32
	Classes []string
}

// Load reads the graph and the true labels of the set, if it has any.
func (s Set) Load() (*Graph, error) {
	edges, err := s.path(".edges.tsv.gz", ".edges.tsv")
	if err != nil {
		return nil, err
	}
	f, err := os.Open(edges)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	graph, err := edgelist.Read(f, edges, edgelist.Options{})
	if err != nil {
		return nil, err
	}
	g := &Graph{Graph: graph, Truth: make([]int32, graph.IDs.Len())}
	for i := range g.Truth {
		g.Truth[i] = -1
	}
	path, err := s.path(".labels.tsv")
	if err != nil {
		return g, nil
	}
	l, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	labels, err := labelfile.Read(l, path, graph.IDs, labelfile.Options{SkipUnknown: true})
	if err != nil {
		return nil, err
	}
	g.Classes = labels.Classes
	for _, seed := range labels.Seeds {
		g.Truth[seed.Node] = int32(seed.Class)
	}
	return g, nil
}

// Split returns the nodes of a part of the set's published split.
func (s Set) Split(g *Graph, part string) ([]uint32, error) {
	path, err := s.path(".split.tsv")
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	parts, err := labelfile.Read(f, path, g.IDs, labelfile.Options{SkipUnknown: true})
	if err != nil {
		return nil, err
	}
	var nodes []uint32
	for _, seed := range parts.Seeds {
		if parts.Classes[seed.Class] == part {
			nodes = append(nodes, seed.Node)
		}
	}
	return nodes, nil
}
