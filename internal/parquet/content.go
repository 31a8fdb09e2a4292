package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// plainDictionary is what old writers call format.Plain in a dictionary, and
// format.RLEDictionary elsewhere.
const plainDictionary format.Encoding = 2

// encodings are how values of a type may be written: those that are checked below. The
// decoder takes others, too, and allocates by what they say.
var encodings = map[parquet.Kind][]format.Encoding{
	parquet.Boolean:   {format.Plain, plainDictionary, format.RLEDictionary, format.RLE},
	parquet.Int32:     {format.Plain, plainDictionary, format.RLEDictionary, format.DeltaBinaryPacked, format.ByteStreamSplit},
	parquet.Int64:     {format.Plain, plainDictionary, format.RLEDictionary, format.DeltaBinaryPacked, format.ByteStreamSplit},
	parquet.Float:     {format.Plain, plainDictionary, format.RLEDictionary, format.ByteStreamSplit},
	parquet.Double:    {format.Plain, plainDictionary, format.RLEDictionary, format.ByteStreamSplit},
	parquet.ByteArray: {format.Plain, plainDictionary, format.RLEDictionary, format.DeltaLengthByteArray, format.DeltaByteArray},
}

// ofDictionary are how the values of a dictionary may be.
var ofDictionary = []format.Encoding{format.Plain, plainDictionary}

// bitsOf is how many a value of a type takes, at least one of text.
var bitsOf = map[parquet.Kind]int64{
	parquet.Boolean: 1, parquet.Int32: 32, parquet.Int64: 64, parquet.Float: 32, parquet.Double: 64, parquet.ByteArray: 32,
}

// page is what the header of a page says, and where it is.
type page struct {
	of            format.PageType
	encoding      format.Encoding
	values, nulls int // nulls only in the second version of pages
	levels        format.Encoding
	at            int64
	stored, size  int32 // bytes, and how many when decompressed

	// The bytes of levels that come first in the second version, not compressed: of
	// repetition, and of the values that are not null.
	repeated, defined int32

	codec      format.CompressionCodec
	compressed bool // the values are
}

// pageContent is what a page holds, decompressed.
type pageContent struct {
	levels []byte // which values are not null, as runs of one bit; empty where none may be
	body   []byte
}

// load reads what a page of a column holds. Its sizes have been checked.
func (t *Table) load(c *column, p *page) (pageContent, error) {
	content := make([]byte, p.stored)
	if _, err := t.at.ReadAt(content, p.at); err != nil && err != io.EOF {
		return pageContent{}, &readError{err}
	}
	in := pageContent{levels: content[p.repeated : p.repeated+p.defined], body: content[p.repeated+p.defined:]}
	if p.compressed && len(in.body) > 0 {
		var err error
		if in.body, err = parquet.LookupCompressionCodec(p.codec).Decode(nil, in.body); err != nil {
			return in, err
		}
	}
	if p.of != format.DataPage || !c.optional {
		return in, nil
	}
	if p.levels != format.RLE {
		return in, fmt.Errorf("levels written as %v, expected runs (RLE)", p.levels)
	}
	var err error
	if in.levels, err = sized(in.body); err != nil {
		return in, errLevels
	}
	in.body = in.body[4+len(in.levels):]
	return in, nil
}

// sized returns the bytes that follow their number.
func sized(content []byte) ([]byte, error) {
	if len(content) < 4 || uint64(binary.LittleEndian.Uint32(content)) > uint64(len(content)-4) {
		return nil, io.ErrUnexpectedEOF
	}
	return content[4 : 4+binary.LittleEndian.Uint32(content)], nil
}

// checkContent checks that what a page holds is as many values as its header says. The
// decoder allocates by what runs, differences and lengths say; where there are fewer
// values, it takes what an earlier page has left in memory.
func (t *Table) checkContent(c *column, p *page) error {
	known := encodings[c.kind]
	if p.of == format.DictionaryPage {
		known = ofDictionary
	}
	if !slices.Contains(known, p.encoding) {
		return fmt.Errorf("%v values written as %v, expected one of %v", c.kind, p.encoding, known)
	}
	plain := p.encoding == format.Plain || p.encoding == format.ByteStreamSplit || p.of == format.DictionaryPage
	if plain && c.kind != parquet.ByteArray && (p.of == format.DictionaryPage || !c.optional) { // the size tells
		return checkRoom(c, int64(p.size-p.repeated-p.defined), p.values)
	}
	in, err := t.load(c, p)
	if err != nil {
		return err
	}
	if err := checkRuns(in.levels, 1, p.values); err != nil {
		return err
	}
	if !plain && (p.encoding == format.RLEDictionary || p.encoding == plainDictionary) {
		return checkIndices(in.body, p.values)
	}
	there, err := p.notNull(in.levels)
	if err != nil {
		return err
	}
	switch {
	case c.kind == parquet.ByteArray && plain:
		return checkTexts(in.body, there)
	case plain:
		return checkRoom(c, int64(len(in.body)), there)
	case p.encoding == format.RLE:
		return checkTruths(in.body, there)
	case p.encoding == format.DeltaLengthByteArray:
		return checkLengths(in.body, there)
	case p.encoding == format.DeltaByteArray:
		return checkPrefixes(in.body, there)
	}
	_, err = checkDeltas(in.body, there, byte(bitsOf[c.kind]))
	return err
}

// notNull returns how many values of a page are not null. Its levels have been checked.
func (p *page) notNull(levels []byte) (int, error) {
	if p.of == format.DataPageV2 { // the header has the nulls
		return p.values - p.nulls, nil
	}
	if len(levels) == 0 {
		return p.values, nil
	}
	defined, err := decodeBits(levels, p.values)
	n := 0
	for _, is := range defined {
		if is {
			n++
		}
	}
	return n, err
}

// checkRoom checks that size bytes have room for n values of one size.
func checkRoom(c *column, size int64, n int) error {
	if int64(n)*bitsOf[c.kind] > 8*size {
		return fmt.Errorf("%d values in %d bytes", n, size)
	}
	return nil
}

// checkIndices checks places in a dictionary.
func checkIndices(content []byte, count int) error {
	if len(content) == 0 {
		return nil
	}
	if content[0] > 32 {
		return fmt.Errorf("places in a dictionary of %d bits, expected at most 32", content[0])
	}
	return checkRuns(content[1:], uint64(content[0]), count)
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
			return errRun
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

var errRun = errors.New("a run without a length")
