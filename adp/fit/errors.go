package fit

import (
	"errors"
	"fmt"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn"
)

// ErrInput is wrapped by errors about an [Input] whose parts are missing or do not fit each other.
var ErrInput = errors.New("fit: invalid input")

var (
	errNoSeeds = fmt.Errorf("%w: no seeds", ErrInput)
	errNoGraph = fmt.Errorf("%w: no graph", ErrInput)
)

// fault is an error of an inner package that wraps a sentinel of this one too.
type fault struct {
	error
	of error
}

func (f fault) Unwrap() error { return f.error }

func (f fault) Is(target error) bool { return target == f.of }

// asFault gives the errors of inner packages the sentinels that the package promises; their text stays.
func asFault(err error) error {
	switch {
	case errors.Is(err, knn.ErrOptions):
		return fault{err, adp.ErrOptions}
	case errors.Is(err, diffuse.ErrFeatures):
		return fault{err, knn.ErrFeatures}
	}
	return err
}
