package bench

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// The files of published splits: one split with the words train, val and test, or several
// with one letter a split, r for train, v for validation and t for test.
const (
	splitEnding  = ".split.tsv"
	splitsEnding = ".splits10.tsv.gz"
)

// ErrNoSplit is wrapped where a set has no published split, or none that can be used.
var ErrNoSplit = errors.New("no published split")

// parts are the nodes of the published parts, as the split file names them.
func (s Set) parts(g *Graph, ending string) (nodes map[string][]uint32, err error) {
	path, err := s.path(ending)
	if err != nil {
		return nil, err
	}
	nodes = map[string][]uint32{}
	err = ReadFile(path, func(f io.Reader, _ int64) error {
		parts, err := labelfile.Read(f, path, g.IDs, labelfile.Options{SkipUnknown: true})
		if err != nil {
			return err
		}
		for _, seed := range parts.Seeds {
			part := parts.Classes[seed.Class]
			nodes[part] = append(nodes[part], seed.Node)
		}
		return nil
	})
	return nodes, err
}

// Published returns the published splits of a set as draws: all of its
// NAME.splits10.tsv.gz, else that of its NAME.split.tsv. Nodes of train with a true label
// are the seeds, those of test are tested on, all others are neither. Sets that are a part
// of a set have none.
func (s Set) Published(g *Graph) ([]Drawn, error) {
	if s.classes > 0 {
		return nil, fmt.Errorf("set %s: %w of some of the classes", s.Name, ErrNoSplit)
	}
	if _, err := s.path(splitsEnding); err == nil {
		return s.letters(g)
	}
	if _, err := s.path(splitEnding); err != nil {
		return nil, fmt.Errorf("set %s: %w: neither %s%s nor %s%s in %s", s.Name, ErrNoSplit, s.base, splitsEnding, s.base, splitEnding, s.dir)
	}
	parts, err := s.parts(g, splitEnding)
	if err != nil {
		return nil, err
	}
	d, err := s.published(g, 0, parts["train"], parts["test"])
	return []Drawn{d}, err
}

// letters returns the splits of a file with one letter a split.
func (s Set) letters(g *Graph) (draws []Drawn, err error) {
	parts, err := s.parts(g, splitsEnding)
	if err != nil {
		return nil, err
	}
	path, _ := s.path(splitsEnding)
	count := -1
	for word := range parts {
		if count < 0 {
			count = len(word)
		}
		if len(word) != count || strings.Trim(word, "rvt") != "" {
			return nil, &lines.Error{File: path, Msg: fmt.Sprintf("splits %s, expected a letter r, v or t for each, as many for every node", lines.Quote([]byte(word)))}
		}
	}
	for k := range count {
		var train, test []uint32
		for word, nodes := range parts {
			switch word[k] {
			case 'r':
				train = append(train, nodes...)
			case 't':
				test = append(test, nodes...)
			}
		}
		d, err := s.published(g, k, train, test)
		if err != nil {
			return nil, err
		}
		draws = append(draws, d)
	}
	return draws, nil
}

// published makes a draw of a split.
func (s Set) published(g *Graph, draw int, train, test []uint32) (Drawn, error) {
	d := Drawn{Set: s.Name, Splits: Published, Draw: draw, Graph: g, Tested: make([]bool, len(g.Truth))}
	tested := 0
	slices.Sort(train)
	for _, i := range train {
		if y := g.Truth[i]; y >= 0 {
			d.Seeds = append(d.Seeds, diffuse.Seed{Node: i, Class: uint32(y), Weight: 1})
		}
	}
	for _, i := range test {
		if g.Truth[i] >= 0 {
			d.Tested[i] = true
			tested++
		}
	}
	if len(d.Seeds) == 0 || tested == 0 {
		return d, fmt.Errorf("set %s: %w that can be used: %d labelled nodes of train and %d of test in split %d, expected some of both", s.Name, ErrNoSplit, len(d.Seeds), tested, draw)
	}
	return d, nil
}
