package model

import (
	"archive/zip"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/multilabel"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/npy"
	"github.com/adp-sparse/adp-sparse/knn"
)

// about is the JSON text in the array "about".
type about struct {
	Version  int              `json:"model_version"`
	Program  string           `json:"program"`
	Method   string           `json:"method"`
	Alpha    float64          `json:"alpha"`
	Choice   adp.Setting      `json:"choice"`
	Rounds   int              `json:"rounds"`
	Prior    bool             `json:"seed_prior,omitempty"`
	Products int              `json:"products"`
	Nodes    int              `json:"nodes"`
	Classes  []string         `json:"classes"`
	Several  bool             `json:"several_labels,omitempty"`
	Labels   *multilabel.Rule `json:"label_rule,omitempty"`
	Features *Features        `json:"features,omitempty"`
	Joins    *knn.Attachment  `json:"joins,omitempty"`
	Guess    *adp.Guess       `json:"guess,omitempty"`
	Trees    float64          `json:"trees,omitempty"`
	Edges    *Edges           `json:"edges,omitempty"`
}

// version returns the version of the format that the model needs.
func (m *Model) version() int {
	f := m.Features
	switch {
	case f != nil && (f.Categories != nil || f.Means != nil):
		return Version
	case m.Guess != nil && (m.Guess.Bias != nil || m.Guess.Near != nil && m.Guess.Near.Bias != nil):
		return biasVersion
	case m.Guess != nil && m.Guess.Near != nil:
		return nearVersion
	case m.Guess != nil && m.Guess.Roots, m.Joins != nil && m.Joins.Metric.OfRoots():
		return rootsVersion
	case m.Trees > 0:
		return treesVersion
	case f.Limited():
		return limitVersion
	case f == nil && m.Guess != nil:
		return linkVersion
	case f == nil:
		return plainVersion
	case m.Guess != nil:
		return guessVersion
	case len(f.Titles)+len(f.Columns)+len(f.Drop) > 0:
		return titledVersion
	case f.Scaling != nil:
		return scaledVersion
	}
	return plainVersion
}

// Write writes the model. Its bytes depend on the model alone. A model that [Read]
// would refuse is an [ErrModel], and nothing is written. Memory: 64 KiB, and the
// names of the nodes once.
func (m *Model) Write(w io.Writer) error {
	if err := m.check(); err != nil {
		return fmt.Errorf("%w: %w", ErrModel, err)
	}
	return m.write(w)
}

func (m *Model) write(w io.Writer) error {
	archive := zip.NewWriter(w)
	n, c := int64(m.F.Rows), int64(m.F.Cols)
	text, err := json.Marshal(about{m.version(), m.Program, m.Method, m.Alpha, m.Choice, m.Rounds, m.SeedPrior, m.Products, m.F.Rows, m.Classes, m.Several, m.Labels, m.Features, m.Joins, m.Guess, m.Trees, m.Edges})
	if err != nil {
		return err
	}
	// After a failed write all others fail, too: the first error is that of the file.
	err = cmp.Or(npy.WriteBytes(archive, "about", text), ids.WriteArrays(archive, m.F.Rows, m.Nodes.AppendName), npy.WriteFloat32s(archive, "f", m.F.Data, n, c))
	if m.Degrees != nil {
		err = cmp.Or(err, npy.WriteArray(archive, "degrees", "<f8", m.Degrees, func(b []byte, v float64) []byte {
			return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}, n))
	}
	if m.Start != nil {
		err = cmp.Or(err, npy.WriteFloat32s(archive, "start", m.Start.Data, n, c))
	}
	if m.Joins != nil && m.Joins.Sigma != nil {
		err = cmp.Or(err, npy.WriteFloat32s(archive, "sigma", m.Joins.Sigma, n))
	}
	if m.Joins != nil {
		err = cmp.Or(err, npy.WriteFloat32s(archive, "radius", m.Joins.Radius, n))
	}
	if m.Guess != nil {
		err = cmp.Or(err, npy.WriteFloat32s(archive, "guess", m.Guess.V.Data, int64(m.Guess.V.Rows), c))
	}
	if m.Guess != nil && m.Guess.Near != nil {
		near := m.Guess.Near
		err = cmp.Or(err, npy.WriteFloat32s(archive, "near", near.V.Data, int64(near.V.Rows), c), npy.WriteFloat32s(archive, "around", near.Around.Data, n, c))
	}
	return cmp.Or(err, archive.Close())
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Sum returns the CRC-32C of the values of x as little-endian float32, row by
// row. Of sparse rows it is that of the entries that are not 0: their number in the row as a
// little-endian uint32, then the column, as a uint32 too, and the value of each.
func Sum(x diffuse.Features) uint32 {
	const most = 64 << 10
	sum, b := uint32(0), make([]byte, 0, most)
	add := func(v uint32) {
		if len(b) == most {
			sum, b = crc32.Update(sum, castagnoli, b), b[:0]
		}
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	if x.Dense != nil {
		for _, v := range x.Dense.Data {
			add(math.Float32bits(v))
		}
		return crc32.Update(sum, castagnoli, b)
	}
	n, _ := x.Sparse.Dims()
	for i := range n {
		cols, vals := x.Sparse.Row(i)
		zeros := 0
		for _, v := range vals {
			if v == 0 {
				zeros++
			}
		}
		add(uint32(len(vals) - zeros))
		for k, v := range vals {
			if v != 0 {
				add(cols[k])
				add(math.Float32bits(v))
			}
		}
	}
	return crc32.Update(sum, castagnoli, b)
}
