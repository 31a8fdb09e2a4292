package checkpoint

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/store"
)

// The sections of a state: its numbers, then blocks and graphs.
const sections = 10

var parts = [sections]string{
	"the numbers", "F", "F of round 0", "the sum of F", "A", "the best A",
	"F of the fold", "F of round 0 of the fold", "the sum of F of the fold", "A of the fold",
}

// numbers is the first section, as JSON. Numbers in JSON text are exact: the shortest text that
// denotes no other number.
type numbers struct {
	Program  string        `json:"program"`
	BestIsA  bool          `json:"best_is_a"` // the best A is A, and not stored again
	Snapshot *adp.Snapshot `json:"snapshot"`
}

// section points to the fields of a snapshot that one of the other sections holds.
type section struct {
	dense **csr.Dense
	graph **csr.Matrix
}

// sectionsOf returns sections 1 and up. Those of the fold point into none if the snapshot has no fold.
func sectionsOf(s, none *adp.Snapshot) []section {
	fold := &none.Main
	if s.Fold != nil {
		fold = s.Fold
	}
	return []section{
		{dense: &s.Main.F},
		{dense: &s.Main.First},
		{dense: &s.Main.Mix.Sum},
		{graph: &s.Main.A},
		{graph: &s.Main.BestGraph},
		{dense: &fold.F},
		{dense: &fold.First},
		{dense: &fold.Mix.Sum},
		{graph: &fold.A},
	}
}

func (p section) length() int64 {
	switch {
	case p.dense != nil && *p.dense != nil:
		return 4 * int64(len((*p.dense).Data))
	case p.graph != nil && *p.graph != nil:
		return store.Size(*p.graph)
	}
	return 0
}

func (p section) write(w io.Writer) error {
	switch {
	case p.dense != nil && *p.dense != nil:
		return writeFloats(w, (*p.dense).Data)
	case p.graph != nil && *p.graph != nil:
		return store.Write(w, *p.graph, nil)
	}
	return nil
}

// layout returns the length of each section of a snapshot and the function
// that writes it.
func layout(s *adp.Snapshot, program string) (lengths [sections]int64, write [sections]func(io.Writer) error, err error) {
	n := numbers{Program: program, Snapshot: s}
	n.BestIsA = s.Main.A != nil && s.Main.A == s.Main.BestGraph
	if n.BestIsA {
		once := *s
		once.Main.BestGraph = nil
		s = &once
	}
	text, err := json.Marshal(n)
	if err != nil {
		return lengths, write, err
	}
	lengths[0] = int64(len(text))
	write[0] = func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
	for k, p := range sectionsOf(s, &adp.Snapshot{}) {
		lengths[k+1], write[k+1] = p.length(), p.write
	}
	return lengths, write, nil
}

// read reads the state that a slot locates.
func read(r io.ReaderAt, s *slot) (*numbers, error) {
	n := &numbers{}
	at := s.from
	section := func(k int, read func(r io.Reader, length int64) error) error {
		length := s.sections[k].length
		sum := &checksum{}
		err := read(io.TeeReader(io.NewSectionReader(r, at, length), sum), length)
		at += length
		if err == nil && sum.crc != s.sections[k].sum {
			err = fmt.Errorf("the checksum is wrong: the file is damaged")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", parts[k], err)
		}
		return nil
	}
	if err := section(0, n.decode); err != nil {
		return nil, err
	}
	id := n.Snapshot.Identity
	none := &adp.Snapshot{}
	for k, p := range sectionsOf(n.Snapshot, none) {
		if s.sections[k+1].length == 0 {
			continue
		}
		err := section(k+1, func(r io.Reader, length int64) (err error) {
			if p.dense != nil {
				*p.dense, err = readFloats(r, id.Nodes, id.Classes, length)
				return err
			}
			*p.graph, _, err = store.Read(r, parts[k+1], length)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if of := none.Main; of.F != nil || of.First != nil || of.Mix.Sum != nil || of.A != nil {
		return nil, fmt.Errorf("blocks of a fold that is not there")
	}
	if n.BestIsA {
		if n.Snapshot.Main.A == nil || n.Snapshot.Main.BestGraph != nil {
			return nil, fmt.Errorf("the best A is A, and is there, or that is not")
		}
		n.Snapshot.Main.BestGraph = n.Snapshot.Main.A
	}
	return n, nil
}

// decode reads the first section.
func (n *numbers) decode(r io.Reader, length int64) error {
	text := make([]byte, length) // checked: the file is that long
	if _, err := io.ReadFull(r, text); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(n); err != nil {
		return err
	}
	if n.Snapshot == nil {
		return fmt.Errorf("no snapshot in it")
	}
	return nil
}

// chunk is the number of floats that are read or written at once.
const chunk = 1 << 14

func writeFloats(w io.Writer, data []float32) error {
	b := make([]byte, 0, 4*chunk)
	for len(data) > 0 {
		n := min(len(data), chunk)
		b = b[:0]
		for _, v := range data[:n] {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

// readFloats reads an n×c block of the given length, which is checked against the file.
func readFloats(r io.Reader, n, c int, length int64) (*csr.Dense, error) {
	floats := length / 4
	if n < 1 || c < 1 || length%4 != 0 || floats/int64(n) != int64(c) || floats%int64(n) != 0 {
		return nil, fmt.Errorf("%d bytes for %d nodes and %d classes", length, n, c)
	}
	f := csr.NewDense(n, c)
	b := make([]byte, 4*min(floats, chunk))
	for to := f.Data; len(to) > 0; {
		part := b[:4*min(len(to), chunk)]
		if _, err := io.ReadFull(r, part); err != nil {
			return nil, err
		}
		for k := range len(part) / 4 {
			to[k] = math.Float32frombits(binary.LittleEndian.Uint32(part[4*k:]))
		}
		to = to[len(part)/4:]
	}
	return f, nil
}

// checksum is a writer that only computes a checksum.
type checksum struct{ crc uint32 }

func (c *checksum) Write(b []byte) (int, error) {
	c.crc = crc32.Update(c.crc, castagnoli, b)
	return len(b), nil
}
