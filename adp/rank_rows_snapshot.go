package adp

import (
	"encoding/json"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
)

// blocks returns pointers to the blocks and graphs of a snapshot; fold stands in for its fold if it
// has none.
func (s *Snapshot) blocks(fold *process) ([]**csr.Dense, []**csr.Matrix) {
	if s.Fold != nil {
		fold = s.Fold
	}
	return []**csr.Dense{&s.Main.F, &s.Main.First, &s.Main.Mix.Sum, &fold.F, &fold.First, &fold.Mix.Sum},
		[]**csr.Matrix{&s.Main.A, &s.Main.BestGraph, &fold.A}
}

// outline is a snapshot without its blocks and graphs, and a record of those that exist.
type outline struct {
	Snapshot *Snapshot `json:"snapshot"`
	Blocks   []bool    `json:"blocks"`
	Graphs   []bool    `json:"graphs"`
	BestIsA  bool      `json:"best_is_a"` // the best graph is A, and not stored again
}

// separate returns a copy of s in which no graph occurs twice.
func (s *Snapshot) separate() (*Snapshot, bool) {
	one := *s
	if s.Fold != nil {
		fold := *s.Fold
		one.Fold = &fold
	}
	same := s.Main.A != nil && s.Main.A == s.Main.BestGraph
	if same {
		one.Main.BestGraph = nil
	}
	return &one, same
}

// checkpoint passes a snapshot to save. Over ranks, rank 0 does so with the rows of all ranks, in
// the order of the partitioned graph, which does not depend on the number of ranks.
func (p *rankRows) checkpoint(s *Snapshot, save func(*Snapshot) error) error {
	if p == nil {
		return save(s)
	}
	whole, same := s.separate()
	blocks, graphs := whole.blocks(&process{})
	_, _, n := p.world.Rows()
	for _, f := range blocks {
		if *f != nil {
			*f = &csr.Dense{Rows: n, Cols: (*f).Cols, Data: dist.Gather(p.world, (*f).Data)}
		}
	}
	for _, a := range graphs {
		if *a != nil {
			*a = dist.GatherRows(p.world, *a)
		}
	}
	var err error
	if p.world.Rank() == 0 {
		if same {
			whole.Main.BestGraph = whole.Main.A
		}
		err = save(whole)
	}
	return dist.Agree(p.world, err)
}

// known returns rank 0's flag in all ranks.
func (p *rankRows) known(flag bool) bool {
	if p == nil {
		return flag
	}
	return dist.Broadcast(p.world, []bool{flag})[0]
}

// receive returns the snapshot s if check accepts it. Over ranks, rank 0 has and checks it, and
// each rank gets its own rows.
func (p *rankRows) receive(s *Snapshot, check func() error) (*Snapshot, error) {
	if p == nil {
		return s, check()
	}
	var text []byte
	var all *Snapshot
	var err error
	if p.world.Rank() == 0 {
		if err = check(); err == nil {
			o := outline{}
			all, o.BestIsA = s.separate()
			o.Snapshot = all
			blocks, graphs := all.blocks(&process{})
			for _, f := range blocks {
				o.Blocks = append(o.Blocks, *f != nil)
			}
			for _, a := range graphs {
				o.Graphs = append(o.Graphs, *a != nil)
			}
			text, err = json.Marshal(o)
		}
	}
	if err := dist.Agree(p.world, err); err != nil {
		return nil, err
	}
	var o outline
	if err := json.Unmarshal(dist.Broadcast(p.world, text), &o); err != nil {
		return nil, err
	}
	own := o.Snapshot
	if all == nil {
		all = &Snapshot{}
	}
	blocks, graphs := own.blocks(&process{})
	allBlocks, allGraphs := all.blocks(&process{})
	lo, hi, _ := p.world.Rows()
	c := own.Identity.Classes
	for k, there := range o.Blocks {
		if there {
			var data []float32
			if *allBlocks[k] != nil {
				data = (*allBlocks[k]).Data
			}
			*blocks[k] = csr.NewDense(hi-lo, c)
			copy((*blocks[k]).Data, dist.Scatter(p.world, data, c))
		}
	}
	for k, there := range o.Graphs {
		if there {
			*graphs[k] = dist.ScatterRows(p.world, *allGraphs[k])
		}
	}
	if o.BestIsA {
		own.Main.BestGraph = own.Main.A
	}
	return own, nil
}

// identify is [identify] for the own rows of W. Only rank 0 gets the result.
func (p *rankRows) identify(w *csr.Matrix, y *diffuse.Seeds, opt Options) identity {
	return identity{
		Nodes: y.Nodes, Classes: y.Classes,
		Graph: hashOf(dist.Gather(p.world, hashBlocks(w, opt.Threads))), Seeds: hashSeeds(y), Options: opt.describe(),
	}
}
