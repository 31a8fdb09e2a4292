package report

import (
	"bytes"
	"fmt"
	"io"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/points"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/internal/figures"
)

// Warm says where a run started.
type Warm struct {
	File  string `json:"file"`
	Nodes int    `json:"known_nodes"` // that the model has too
	// Products counts products with S in round 0, FromNothing those of the first run, which had no
	// model to start from.
	Products     int `json:"products"`
	FromNothing  int `json:"products_from_nothing"`
	SavedPercent int `json:"saved_percent"`
	// KeptChoice: ADP kept the choice of the model's run. Rounds and RoundsFromNothing are A-steps,
	// without those on left-out seeds.
	KeptChoice        bool `json:"kept_choice"`
	Rounds            int  `json:"rounds"`
	RoundsFromNothing int  `json:"rounds_from_nothing"`
	// Graph is nil where the graph is not of vectors. OtherGraph names the graph of the choice,
	// where it was of another kind.
	Graph      *points.WarmGraph `json:"graph,omitempty"`
	OtherGraph string            `json:"other_graph,omitempty"`

	LeftOut bool // seeds were left out, for whatever purpose
}

// Kept reports whether the choice of an earlier run was kept.
func (w *Warm) Kept() bool { return w != nil && w.KeptChoice }

// finish fills in what round 0 cost.
func (w *Warm) finish(rounds []adp.Round) {
	if w == nil {
		return
	}
	w.Products, w.Rounds = rounds[0].Solve.Iterations, len(rounds)-1
	if w.FromNothing > 0 && w.Nodes > 0 {
		w.SavedPercent = max(0, 100*(w.FromNothing-w.Products)/w.FromNothing)
	}
}

func (w *Warm) print(to io.Writer, nodes int) {
	if w == nil {
		return
	}
	var text bytes.Buffer
	if w.Nodes == 0 {
		fmt.Fprintf(&text, "%s has none of the %s nodes: round 0 started from nothing", w.File, figures.Count(nodes))
	} else {
		fmt.Fprintf(&text, "round 0 started from %s, which has %s of %s nodes: %d products, %d from nothing", w.File, figures.Count(w.Nodes), figures.Count(nodes), w.Products, w.FromNothing)
		if w.FromNothing > 0 {
			fmt.Fprintf(&text, " (%d %% saved)", w.SavedPercent)
		}
	}
	if w.KeptChoice {
		fmt.Fprintf(&text, "; its choice was kept: %s in place of %d", figures.Counted(w.Rounds, "round"), w.RoundsFromNothing)
		if !w.LeftOut {
			text.WriteString(", without cross-validation")
		}
	}
	w.Graph.Print(&text)
	fmt.Fprintln(to, streams.Clean(text.String()))
}
