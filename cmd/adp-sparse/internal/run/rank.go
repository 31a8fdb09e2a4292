package run

import (
	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/parts"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
	"github.com/adp-sparse/adp-sparse/internal/clock"
)

// rankRun is the run of one rank.
type rankRun struct {
	settings *settings
	comm     dist.Comm
	folder   *parts.Folder
	watch    *clock.Stopwatch // of rank 0
}

// rankJob is the input of a rank, and the options of the method.
type rankJob struct {
	world  *dist.World
	w      *csr.Matrix // own rows
	labels *labelfile.Labels
	seeds  *diffuse.Seeds
	opt    adp.Options

	estimated   int64
	calibration *adp.Calibration
}
