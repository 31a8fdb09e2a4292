package parquet

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// plainDictionary is what old writers call format.RLEDictionary.
const plainDictionary format.Encoding = 2

// pageContent is what a page of data holds, decompressed.
type pageContent struct {
	encoding      format.Encoding
	values, nulls int    // by the header; nulls only in the second version of pages
	second        bool   // that version
	levels        []byte // which values are not null, as runs of one bit; empty where none may be
	body          []byte
}

// checkContent checks that runs in a page, and texts, are no more than its header
// says. Its size, levels bytes of it first, has been checked.
func (t *Table) checkContent(c *column, h *format.PageHeader, codec format.CompressionCodec, at int64, levels int32, compressed bool) error {
	p := &pageContent{}
	switch h.Type {
	case format.DataPage:
		p.encoding, p.values = h.DataPageHeader.V.Encoding, int(h.DataPageHeader.V.NumValues)
	case format.DataPageV2:
		v2 := &h.DataPageHeaderV2.V
		p.second = true
		p.encoding, p.values, p.nulls = v2.Encoding, int(v2.NumValues), int(v2.NumNulls)
	default: // a dictionary has no runs
		return nil
	}
	indices := p.encoding == format.RLEDictionary || p.encoding == plainDictionary
	if !c.text && !c.optional && !indices && p.encoding != format.DeltaBinaryPacked {
		return nil
	}
	content := make([]byte, h.CompressedPageSize)
	if _, err := t.at.ReadAt(content, at); err != nil && err != io.EOF {
		return &readError{err}
	}
	p.body = content[levels:]
	if compressed && len(p.body) > 0 {
		var err error
		if p.body, err = parquet.LookupCompressionCodec(codec).Decode(nil, p.body); err != nil {
			return err
		}
	}
	switch {
	case p.second:
		p.levels = content[h.DataPageHeaderV2.V.RepetitionLevelsByteLength:levels]
	case c.optional:
		if how := h.DataPageHeader.V.DefinitionLevelEncoding; how != format.RLE {
			return fmt.Errorf("levels written as %v, expected runs (RLE)", how)
		}
		if len(p.body) < 4 || uint64(binary.LittleEndian.Uint32(p.body)) > uint64(len(p.body)-4) {
			return errLevels
		}
		end := 4 + binary.LittleEndian.Uint32(p.body)
		p.levels, p.body = p.body[4:end], p.body[end:]
	}
	if err := checkRuns(p.levels, 1, p.values); err != nil {
		return err
	}
	if indices && len(p.body) > 0 {
		if width := p.body[0]; width > 32 {
			return fmt.Errorf("places in a dictionary of %d bits, expected at most 32", width)
		}
		return checkRuns(p.body[1:], uint64(p.body[0]), p.values)
	}
	if p.encoding == format.DeltaBinaryPacked {
		if n, err := countDeltas(p.body); err != nil || n > p.values {
			return cmp.Or(err, fmt.Errorf("%d differences in a page of %d values", n, p.values))
		}
		return nil
	}
	if !c.text {
		return nil
	}
	return checkTexts(p)
}

// countDeltas returns the number of values that differences say they are of: blocks of
// none take almost no bytes.
func countDeltas(content []byte) (n int, err error) {
	for range 3 { // the sizes of a block come first, then the number
		v, size := binary.Uvarint(content)
		if size <= 0 || v > maxValues {
			return 0, errors.New("differences without a number of values, or with too many")
		}
		n, content = int(v), content[size:]
	}
	return n, nil
}

var errLevels = errors.New("levels that go past the end of their page")

// mostPadding is how many values the last of some runs may have too many: it is
// of eights.
const mostPadding = 504

// checkRuns checks runs of values of width bits before they are decoded: a few bytes
// can say billions of values. count is how many there should be.
func checkRuns(runs []byte, width uint64, count int) error {
	most, total := uint64(count+mostPadding), uint64(0)
	for len(runs) > 0 {
		head, n := binary.Uvarint(runs)
		if n <= 0 {
			return errors.New("a run without a length")
		}
		runs = runs[n:]
		length := head >> 1
		if length > most {
			return fmt.Errorf("a run of %d values in a page of %d", length, count)
		}
		size := (width + 7) / 8 // of one value again and again
		if head&1 == 1 {
			size, length = length*width, length*8
		}
		if total += length; total > most {
			return fmt.Errorf("runs of %d values or more in a page of %d", total, count)
		}
		runs = runs[min(size, uint64(len(runs))):] // the decoder tells of missing bytes
	}
	return nil
}
