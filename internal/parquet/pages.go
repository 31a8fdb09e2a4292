package parquet

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// The bounds of a page.
const (
	maxHeader = 1 << 16
	maxPage   = 128 << 20
	maxValues = 1 << 25 // of which runs may take almost no bytes
)

// checkChunk walks the pages of a column in a row group: each must lie within
// the file and be as large as its header says, and together they must hold a
// value a row.
func (t *Table) checkChunk(c *column, chunk *format.ColumnMetaData, rows int64) error {
	switch chunk.Codec {
	case format.Uncompressed, format.Snappy, format.Gzip, format.Zstd:
	default:
		return t.errorf("pages compressed by %v, expected snappy, gzip, zstd or nothing", chunk.Codec)
	}
	if chunk.Codec != c.codec { // the decoder takes the first for that of all, and has then no size that was checked
		return t.errorf("pages compressed by %v after others by %v, expected one way in a column", chunk.Codec, c.codec)
	}
	c.truths = c.truths[:0]
	begin := chunk.DataPageOffset
	if chunk.DictionaryPageOffset != 0 {
		begin = chunk.DictionaryPageOffset
	}
	if begin < int64(len(Magic)) || chunk.TotalCompressedSize < 0 || begin > t.size-chunk.TotalCompressedSize {
		return fmt.Errorf("pages from byte %d on, %d bytes long, expected within the %d of the file", begin, chunk.TotalCompressedSize, t.size)
	}
	if chunk.DataPageOffset < begin {
		return fmt.Errorf("data pages before their dictionary")
	}
	if chunk.NumValues != rows {
		return fmt.Errorf("%d values for %d rows", chunk.NumValues, rows)
	}
	at, end := begin, begin+chunk.TotalCompressedSize
	values := int64(0)
	for at < end { // all of them: the decoder reads on
		header, size, err := t.pageHeader(at, end)
		if err != nil {
			return err
		}
		at += int64(size)
		if at+int64(header.CompressedPageSize) > end {
			return fmt.Errorf("a page of %d bytes at byte %d, expected it to end by byte %d", header.CompressedPageSize, at, end)
		}
		p, err := pageOf(header, chunk.Codec, at)
		if err == nil {
			err = t.checkPage(c, p)
		}
		if err != nil {
			return fmt.Errorf("page at byte %d: %w", at, err)
		}
		if p.of != format.DictionaryPage {
			values += int64(p.values)
			c.keep(p)
		}
		at += int64(header.CompressedPageSize)
	}
	if values != rows {
		return fmt.Errorf("pages of %d values for %d rows", values, rows)
	}
	return nil
}

// pageHeader reads the header at a place of the file, and returns its length.
func (t *Table) pageHeader(at, end int64) (*format.PageHeader, int, error) {
	head := t.head[:min(maxHeader, end-at)]
	if _, err := t.at.ReadAt(head, at); err != nil {
		return nil, 0, &readError{err}
	}
	size, err := walk(head)
	if err != nil {
		return nil, 0, fmt.Errorf("header of a page at byte %d: %w", at, err)
	}
	header := &format.PageHeader{}
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), head[:size], header); err != nil {
		return nil, 0, fmt.Errorf("header of a page at byte %d: %w", at, err)
	}
	if c, u := header.CompressedPageSize, header.UncompressedPageSize; c < 0 || u < 0 || max(c, u) > maxPage {
		return nil, 0, fmt.Errorf("a page of %d bytes, %d of them stored, at byte %d, expected at most %d", u, c, at, maxPage)
	}
	return header, size, nil
}

// pageOf returns what a header says of the page at a place.
func pageOf(h *format.PageHeader, codec format.CompressionCodec, at int64) (*page, error) {
	p := &page{of: h.Type, at: at, stored: h.CompressedPageSize, size: h.UncompressedPageSize, codec: codec, compressed: codec != format.Uncompressed}
	v1, v2, dictionary := &h.DataPageHeader, &h.DataPageHeaderV2, &h.DictionaryPageHeader
	switch {
	case h.Type == format.DataPage && v1.Valid && !v2.Valid && !dictionary.Valid:
		p.encoding, p.values, p.levels = v1.V.Encoding, int(v1.V.NumValues), v1.V.DefinitionLevelEncoding
	case h.Type == format.DataPageV2 && v2.Valid && !v1.Valid && !dictionary.Valid:
		p.encoding, p.values, p.nulls = v2.V.Encoding, int(v2.V.NumValues), int(v2.V.NumNulls)
		p.repeated, p.defined = v2.V.RepetitionLevelsByteLength, v2.V.DefinitionLevelsByteLength
		if levels := p.repeated + p.defined; min(p.repeated, p.defined) < 0 || levels < 0 || levels > min(p.stored, p.size) {
			return nil, fmt.Errorf("%d bytes of levels in a page of %d", levels, p.stored)
		}
		p.compressed = p.compressed && (!v2.V.IsCompressed.Valid || v2.V.IsCompressed.V)
	case h.Type == format.DictionaryPage && dictionary.Valid && !v1.Valid && !v2.Valid:
		p.encoding, p.values = dictionary.V.Encoding, int(dictionary.V.NumValues)
	default: // the decoder takes any page for a dictionary whose header has the part of one
		return nil, fmt.Errorf("a page of type %d, expected data or a dictionary, and one header", h.Type)
	}
	if p.values < 0 || p.values > maxValues {
		return nil, fmt.Errorf("%d values, expected at most %d", p.values, maxValues)
	}
	if p.nulls < 0 || p.nulls > p.values {
		return nil, fmt.Errorf("%d nulls among %d values", p.nulls, p.values)
	}
	return p, nil
}

// checkPage checks a page and what it holds.
func (t *Table) checkPage(c *column, p *page) error {
	levels := p.repeated + p.defined
	if !p.compressed {
		if p.stored != p.size {
			return fmt.Errorf("%d bytes, expected %d as it is not compressed", p.stored, p.size)
		}
		return t.checkContent(c, p)
	}
	body := io.NewSectionReader(t.at, p.at+int64(levels), int64(p.stored-levels))
	if err := checkSize(body, p.codec, int64(p.size-levels)); err != nil {
		return err
	}
	return t.checkContent(c, p)
}

// checkSize decompresses a page to nowhere: it must hold size bytes.
func checkSize(body *io.SectionReader, codec format.CompressionCodec, size int64) error {
	if body.Size() == 0 && size == 0 {
		return nil
	}
	var plain io.Reader
	switch codec {
	case format.Snappy: // the size stands before the text, and the decoder holds to it
		head := make([]byte, min(binary.MaxVarintLen64, body.Size()))
		if _, err := body.ReadAt(head, 0); err != nil {
			return &readError{err}
		}
		if says, n := binary.Uvarint(head); n <= 0 || says != uint64(size) {
			return fmt.Errorf("%d bytes when decompressed, expected %d", says, size)
		}
		return nil
	case format.Gzip:
		z, err := gzip.NewReader(body)
		if err != nil {
			return err
		}
		plain = z
	default: // zstd
		z, err := zstd.NewReader(body, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxPage))
		if err != nil {
			return err
		}
		defer z.Close()
		plain = z
	}
	n, err := io.Copy(io.Discard, io.LimitReader(plain, size+1))
	if err != nil {
		return err
	}
	if n != size {
		return fmt.Errorf("%d bytes or more when decompressed, expected %d", n, size)
	}
	return nil
}
