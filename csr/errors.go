package csr

import (
	"errors"
	"fmt"
)

// ErrStructure is wrapped by every error about the structure of a matrix.
var ErrStructure = errors.New("csr: invalid structure")

// ErrDuplicate is wrapped by [DuplicateError].
var ErrDuplicate = errors.New("csr: duplicate edge")

// ErrUsed is wrapped where a builder is used again after it gave its matrix: its edges are gone.
var ErrUsed = errors.New("csr: used up")

// StructureError names the first row at which the arrays of a matrix violate the format. Row is -1
// for faults of the whole matrix.
type StructureError struct {
	Row   int
	Fault string
}

func (e *StructureError) Error() string {
	if e.Row < 0 {
		return fmt.Sprintf("csr: %s", e.Fault)
	}
	return fmt.Sprintf("csr: row %d: %s", e.Row, e.Fault)
}

func (e *StructureError) Unwrap() error { return ErrStructure }

// DuplicateError reports an edge given more than once where that is not allowed
// ([DuplicatesError]). Src < Dst for undirected edges.
type DuplicateError struct {
	Src, Dst uint32
}

func (e *DuplicateError) Error() string {
	return fmt.Sprintf("csr: edge %d-%d is given more than once", e.Src, e.Dst)
}

func (e *DuplicateError) Unwrap() error { return ErrDuplicate }
