package run

import (
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/points"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// input is a graph with its labels, and the options of the method on them.
type input struct {
	graph  *opened.Graph
	labels *labelfile.Labels
	seeds  *diffuse.Seeds
	fit    fit.Options
	method string // the one that runs: --warm can make LGC of ADP
	before *previous
	warm   *report.Warm // where the run starts; nil for none
}

// previous is the model of an earlier run that this one starts from.
type previous struct {
	*model.Model
	graph *points.WarmGraph // what this graph has of its graph; nil where it is not of vectors
}
