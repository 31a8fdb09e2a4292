package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// Table is a file that has been opened.
type Table struct {
	name string
	at   io.ReaderAt
	size int64
	file *parquet.File
	head []byte // room for the header of a page
	away bool   // the caller's function runs: its panics are its own
}

// Value is what stands in a row of a column.
type Value struct {
	Kind  Kind
	Int   int64   // of an Int
	Float float64 // of an Int or a Float
	Text  []byte  // of a Text, valid until the next row
}

// Kind is the kind of a value.
type Kind int

// The kinds of values.
const (
	Null Kind = iota
	Int
	Float
	Text
)

// String returns the value as text, "null" for none.
func (v Value) String() string {
	switch v.Kind {
	case Int:
		return strconv.FormatInt(v.Int, 10)
	case Float:
		return strconv.FormatFloat(v.Float, 'g', -1, 64)
	case Text:
		return string(v.Text)
	}
	return "null"
}

// readError is a failure of the reader below.
type readError struct{ err error }

func (e *readError) Error() string { return e.err.Error() }
func (e *readError) Unwrap() error { return e.err }

// maxFooter is the largest footer that is read.
const maxFooter = 16 << 20

// Open opens a file of size bytes. The name is for messages.
func Open(at io.ReaderAt, name string, size int64) (*Table, error) {
	t := &Table{name: name, at: at, size: size, head: make([]byte, maxHeader)}
	err := t.guard(func() (err error) {
		if err := t.checkFooter(); err != nil {
			return err
		}
		t.file, err = parquet.OpenFile(at, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.FileReadMode(parquet.ReadModeSync))
		return err
	})
	return t, err
}

// guard turns the errors and the panics of the decoder into errors of the
// file.
func (t *Table) guard(f func() error) (err error) {
	defer func() {
		if t.away {
			t.away = false
			return
		}
		if fault := recover(); fault != nil {
			err = &lines.Error{File: t.name, Msg: fmt.Sprintf("damaged Parquet file: %.200s", fmt.Sprint(fault))}
		}
	}()
	err = f()
	var own *lines.Error
	var read *readError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		return own
	case errors.As(err, &read) && !errors.Is(err, io.EOF):
		return fmt.Errorf("%s: %w", t.name, read.err)
	}
	return &lines.Error{File: t.name, Msg: fmt.Sprintf("damaged Parquet file: %.200s", err)}
}

// errorf returns an error of a table without fault.
func (t *Table) errorf(format string, args ...any) error {
	return &lines.Error{File: t.name, Msg: fmt.Sprintf(format, args...)}
}

// checkFooter walks the footer.
func (t *Table) checkFooter() error {
	if t.size < int64(2*len(Magic)+4) {
		return t.errorf("%d bytes, expected a Parquet file", t.size)
	}
	var head, tail [8]byte
	if _, err := t.at.ReadAt(head[:4], 0); err != nil {
		return &readError{err}
	}
	if _, err := t.at.ReadAt(tail[:], t.size-8); err != nil {
		return &readError{err}
	}
	switch magic := string(head[:4]); {
	case magic == "PARE" || string(tail[4:]) == "PARE":
		return t.errorf("an encrypted Parquet file, expected a plain one")
	case magic != Magic:
		return t.errorf("starts with %s, expected %s", lines.Quote(head[:4]), Magic)
	case string(tail[4:]) != Magic:
		return t.errorf("ends with %s, expected %s: the file is cut or not complete", lines.Quote(tail[4:]), Magic)
	}
	length := int64(binary.LittleEndian.Uint32(tail[:4]))
	if length > maxFooter || length > t.size-12 {
		return t.errorf("a footer of %d bytes, expected at most %d", length, min(maxFooter, t.size-12))
	}
	footer := make([]byte, length)
	if _, err := t.at.ReadAt(footer, t.size-8-length); err != nil {
		return &readError{err}
	}
	if _, err := walk(footer); err != nil {
		return fmt.Errorf("footer: %w", err)
	}
	return nil
}

// Rows returns the number of rows that the file says it has.
func (t *Table) Rows() int64 { return t.file.NumRows() }

// Columns returns the names of the columns that are not nested.
func (t *Table) Columns() (names []string) {
	for _, c := range t.file.Root().Columns() {
		if c.Leaf() {
			names = append(names, c.Name())
		}
	}
	return names
}

// Nested returns the names of the columns that are.
func (t *Table) Nested() (names []string) {
	for _, c := range t.file.Root().Columns() {
		if !c.Leaf() {
			names = append(names, c.Name())
		}
	}
	return names
}

// Read calls row for each row, counted from 1, with the values of the named
// columns, which are valid until it returns.
func (t *Table) Read(columns []string, row func(line int, values []Value) error) error {
	var own error // of row, which is no fault of the file
	err := t.guard(func() error {
		sources := make([]*column, len(columns))
		for k, name := range columns {
			var err error
			if sources[k], err = t.column(name); err != nil {
				return err
			}
		}
		line := 0
		for g, group := range t.file.RowGroups() {
			rows := group.NumRows()
			if rows < 0 || rows > math.MaxInt32 || int64(line)+rows > t.Rows() {
				return fmt.Errorf("row group %d of %d rows, the file has %d", g, rows, t.Rows())
			}
			for k, c := range sources {
				if err := t.checkChunk(c, &t.file.Metadata().RowGroups[g].Columns[c.index].MetaData, rows); err != nil {
					return fmt.Errorf("column %s, row group %d: %w", lines.Quote([]byte(columns[k])), g, err)
				}
				c.open(group.ColumnChunks()[c.index])
			}
			values := make([]Value, len(columns))
			for range rows {
				line++
				for k, c := range sources {
					var err error
					if values[k], err = c.next(); err != nil {
						return fmt.Errorf("column %s, row %d: %w", lines.Quote([]byte(columns[k])), line, err)
					}
				}
				t.away = true
				own = row(line, values)
				if t.away = false; own != nil {
					return nil
				}
			}
			for _, c := range sources {
				c.close()
			}
		}
		if int64(line) != t.Rows() {
			return fmt.Errorf("row groups of %d rows, the file says %d", line, t.Rows())
		}
		return nil
	})
	return errors.Join(own, err)
}

// column reads one column of a row group after the other.
type column struct {
	from     *Table
	index    int
	kind     parquet.Kind
	codec    format.CompressionCodec
	unsigned bool
	optional bool    // values may be null
	truths   []*page // those pages of the row group that are read by readTruths, nil for others
	pages    parquet.Pages
	page     parquet.Page
	read     int // pages
	values   parquet.ValueReader
	buffer   []parquet.Value
	at, have int
}

// column finds a column by its name, and refuses types that are no numbers or
// text.
func (t *Table) column(name string) (*column, error) {
	c := t.file.Root().Column(name)
	quoted := lines.Quote([]byte(name))
	switch {
	case c == nil:
		return nil, t.errorf("no column %s", quoted)
	case !c.Leaf() || c.Repeated() || c.MaxRepetitionLevel() > 0 || c.MaxDefinitionLevel() > 1:
		return nil, t.errorf("column %s is nested, expected a number or text in each row", quoted)
	}
	kind := c.Type().Kind()
	out := &column{from: t, index: c.Index(), kind: kind, optional: c.MaxDefinitionLevel() > 0, buffer: make([]parquet.Value, 1024)}
	if groups := t.file.Metadata().RowGroups; len(groups) > 0 {
		out.codec = groups[0].Columns[out.index].MetaData.Codec
	}
	logical, text := c.Type().LogicalType(), kind == parquet.ByteArray
	if encodings[kind] == nil {
		return nil, t.errorf("column %s is of type %s, expected numbers or text", quoted, c.Type())
	}
	if logical == nil || logical.Value == nil {
		return out, nil
	}
	known := false
	switch value := logical.Value.(type) {
	case *format.StringType, *format.EnumType, *format.JsonType:
		known = text
	case *format.IntType:
		known, out.unsigned = !text, !value.IsSigned
	}
	if !known {
		return nil, t.errorf("column %s is of type %s, expected numbers or text", quoted, c.Type())
	}
	return out, nil
}

// open starts the column in a row group.
func (c *column) open(chunk parquet.ColumnChunk) {
	c.pages = chunk.Pages()
	c.page, c.values, c.read, c.at, c.have = nil, nil, 0, 0, 0
}

// keep notes a page of data that has been checked.
func (c *column) keep(p *page) {
	if c.kind != parquet.Boolean {
		return
	}
	if p.encoding != format.RLE {
		p = nil
	}
	c.truths = append(c.truths, p)
}

func (c *column) close() {
	parquet.Release(c.page)
	c.page = nil
	c.pages.Close() // it holds nothing of the file's
}

// next returns the value of the next row.
func (c *column) next() (v Value, err error) {
	for c.at == c.have {
		if err := c.fill(); err != nil {
			return v, err
		}
	}
	x := c.buffer[c.at]
	c.at++
	return c.value(x)
}

// fill reads values, of the next page where the last is at its end.
func (c *column) fill() (err error) {
	if c.values == nil {
		parquet.Release(c.page)
		if c.page, err = c.pages.ReadPage(); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
		c.values = c.page.Values()
		if c.read < len(c.truths) && c.truths[c.read] != nil {
			if c.values, err = c.from.readTruths(c, c.truths[c.read], c.page.DefinitionLevels()); err != nil {
				return err
			}
		}
		c.read++
	}
	c.at = 0
	c.have, err = c.values.ReadValues(c.buffer)
	if err == io.EOF {
		c.values, err = nil, nil
	}
	return err
}

var errText = errors.New("text that is not UTF-8 or has a control character in it")

func (c *column) value(x parquet.Value) (Value, error) {
	if x.IsNull() {
		return Value{}, nil
	}
	switch x.Kind() {
	case parquet.Boolean:
		if x.Boolean() {
			return Value{Kind: Text, Text: []byte("true")}, nil
		}
		return Value{Kind: Text, Text: []byte("false")}, nil
	case parquet.Int32:
		v := int64(x.Int32())
		if c.unsigned {
			v = int64(x.Uint32())
		}
		return Value{Kind: Int, Int: v, Float: float64(v)}, nil
	case parquet.Int64:
		if c.unsigned && x.Int64() < 0 {
			return Value{Kind: Text, Text: strconv.AppendUint(nil, x.Uint64(), 10)}, nil
		}
		return Value{Kind: Int, Int: x.Int64(), Float: float64(x.Int64())}, nil
	case parquet.Float:
		return Value{Kind: Float, Float: float64(x.Float())}, nil
	case parquet.Double:
		return Value{Kind: Float, Float: x.Double()}, nil
	}
	text := x.ByteArray()
	if !utf8.Valid(text) {
		return Value{}, errText
	}
	for _, b := range text {
		if b < ' ' || b == 0x7f {
			return Value{}, errText
		}
	}
	return Value{Kind: Text, Text: text}, nil
}
