package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/format"
)

var errTexts = errors.New("text that goes past the end of its page")

// checkTexts checks that a page of text holds as many values as its header says,
// whose content, levels bytes of it first, has been checked for its size. The
// decoder would drop the values past that number and write to standard error.
func (t *Table) checkTexts(c *column, h *format.PageHeader, codec format.CompressionCodec, at int64, levels int32, compressed bool) error {
	var encoding format.Encoding
	values := 0
	switch {
	case h.Type == format.DataPage:
		encoding, values = h.DataPageHeader.V.Encoding, int(h.DataPageHeader.V.NumValues)
	case h.Type == format.DataPageV2:
		encoding, values = h.DataPageHeaderV2.V.Encoding, int(h.DataPageHeaderV2.V.NumValues)-int(h.DataPageHeaderV2.V.NumNulls)
	}
	if !c.text || h.Type == format.DictionaryPage || encoding != format.Plain && encoding != format.DeltaLengthByteArray && encoding != format.DeltaByteArray {
		return nil
	}
	content := make([]byte, h.CompressedPageSize-levels)
	if _, err := t.at.ReadAt(content, at+int64(levels)); err != nil && err != io.EOF {
		return &readError{err}
	}
	if compressed && len(content) > 0 {
		var err error
		if content, err = parquet.LookupCompressionCodec(codec).Decode(nil, content); err != nil {
			return err
		}
	}
	if h.Type == format.DataPage && c.optional {
		if len(content) < 4 {
			return errTexts
		}
		size := binary.LittleEndian.Uint32(content)
		if uint64(size) > uint64(len(content)-4) {
			return errTexts
		}
		defined, err := (&rle.Encoding{BitWidth: 1}).DecodeLevels(nil, content[4:4+size])
		if err != nil {
			return err
		}
		nulls := values
		for _, level := range defined[:min(values, len(defined))] {
			if level == 1 {
				nulls--
			}
		}
		values, content = values-nulls, content[4+size:]
	}
	found, err := countTexts(content, encoding)
	if err == nil && found != values {
		err = fmt.Errorf("%d texts in a page, expected %d", found, values)
	}
	return err
}

// countTexts returns the number of texts in the content of a page.
func countTexts(content []byte, encoding format.Encoding) (n int, err error) {
	if encoding != format.Plain { // the sizes of a block come first, then the number
		for range 3 {
			v, size := binary.Uvarint(content)
			if size <= 0 || v > maxValues {
				return 0, errTexts
			}
			n, content = int(v), content[size:]
		}
		return n, nil
	}
	for ; len(content) > 0; n++ {
		if len(content) < 4 || uint64(binary.LittleEndian.Uint32(content)) > uint64(len(content)-4) {
			return 0, errTexts
		}
		content = content[4+binary.LittleEndian.Uint32(content):]
	}
	return n, nil
}
