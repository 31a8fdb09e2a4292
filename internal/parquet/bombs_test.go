package parquet

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// made is a page of a file under test.
type made struct {
	header format.PageHeader
	body   []byte
}

// data returns a page of data, in the first or the second version.
func data(version int, encoding format.Encoding, values int, body []byte) made {
	p := made{body: body}
	if version == 1 {
		p.header.Type = format.DataPage
		p.header.DataPageHeader = thrift.New(format.DataPageHeader{NumValues: int32(values), Encoding: encoding, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE})
	} else {
		p.header.Type = format.DataPageV2
		p.header.DataPageHeaderV2 = thrift.New(format.DataPageHeaderV2{NumValues: int32(values), NumRows: int32(values), Encoding: encoding})
	}
	return p
}

func dictionary(encoding format.Encoding, values int, body []byte) made {
	p := made{body: body}
	p.header.Type = format.DictionaryPage
	p.header.DictionaryPageHeader = thrift.New(format.DictionaryPageHeader{NumValues: int32(values), Encoding: encoding})
	return p
}

// group is a row group under test.
type group struct {
	codec format.CompressionCodec
	pages []made
}

// file returns a file of one column x of a type, none of whose values is null.
func file(t *testing.T, of format.Type, rows int, groups ...group) []byte {
	t.Helper()
	return fileOf(t, of, format.Required, rows, groups...)
}

func fileOf(t *testing.T, of format.Type, null format.FieldRepetitionType, rows int, groups ...group) []byte {
	t.Helper()
	marshal := func(v any) []byte {
		text, err := thrift.Marshal(new(thrift.CompactProtocol), v)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	meta := format.FileMetaData{Version: 1, NumRows: int64(rows * len(groups)), Schema: []format.SchemaElement{
		{Name: "table", NumChildren: thrift.New(int32(1))},
		{Name: "x", Type: thrift.New(of), RepetitionType: thrift.New(null)},
	}}
	out := []byte(Magic)
	for _, g := range groups {
		chunk := format.ColumnMetaData{Type: of, Encoding: []format.Encoding{format.Plain}, PathInSchema: []string{"x"}, Codec: g.codec, NumValues: int64(rows)}
		begin := len(out)
		for _, p := range g.pages {
			if p.header.Type == format.DictionaryPage {
				chunk.DictionaryPageOffset = int64(len(out))
			} else {
				chunk.DataPageOffset = cmp.Or(chunk.DataPageOffset, int64(len(out)))
			}
			p.header.CompressedPageSize = int32(len(p.body))
			p.header.UncompressedPageSize = cmp.Or(p.header.UncompressedPageSize, p.header.CompressedPageSize)
			out = slices.Concat(out, marshal(&p.header), p.body)
		}
		chunk.TotalCompressedSize = int64(len(out) - begin)
		meta.RowGroups = append(meta.RowGroups, format.RowGroup{Columns: []format.ColumnChunk{{MetaData: chunk}}, NumRows: int64(rows)})
	}
	footer := marshal(&meta)
	out = binary.LittleEndian.AppendUint32(append(out, footer...), uint32(len(footer)))
	return append(out, Magic...)
}

// readX reads column x, with what was allocated meanwhile.
func readX(file []byte) (values []string, allocated uint64, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	table, err := Open(bytes.NewReader(file), "x.parquet", int64(len(file)))
	if err == nil {
		err = table.Read([]string{"x"}, func(_ int, row []Value) error {
			values = append(values, row[0].String())
			return nil
		})
	}
	runtime.ReadMemStats(&after)
	return values, after.TotalAlloc - before.TotalAlloc, err
}

// plain is a row group of pages that are not compressed.
func plain(pages ...made) group { return group{format.Uncompressed, pages} }

// sizedBy returns runs after their size.
func sizedBy(runs string) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(runs))), runs...)
}

// TestBombs: small pages that say large ones are refused before memory is taken.
func TestBombs(t *testing.T) {
	const runs = "\xfe\xff\xff\xff\x0f\x00" // 2^31-1 of 0
	indices := []byte{1, 8 << 1, 0}
	lengths := func(all ...int32) []byte {
		list, err := new(delta.BinaryPackedEncoding).EncodeInt32(nil, all)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	again := slices.Repeat([]int32{1 << 16}, 4096) // of a text that the first one is
	again[0] = 0
	once := make([]int32, 4096)
	once[0] = 1 << 16
	for name, test := range map[string]struct {
		of       format.Type
		rows     int
		encoding format.Encoding
		body     []byte
		before   []made
		want     string
	}{
		"runs of truth":                 {format.Boolean, 8, format.RLE, sizedBy(strings.Repeat(runs, 4)), nil, "a run of 2147483647 values in a page of 8"},
		"many runs of truth":            {format.Boolean, 8, format.RLE, sizedBy(strings.Repeat("\x80\x08\x00", 1000)), nil, "runs of 1024 values or more in a page of 8"},
		"truth without its size":        {format.Boolean, 8, format.RLE, []byte(runs), nil, "runs that go past the end of their page"},
		"runs of int32":                 {format.Int32, 8, format.RLE, []byte("\x80\x80\x80\x80\x02"), nil, "INT32 values written as RLE, expected one of [PLAIN "},
		"runs of text":                  {format.ByteArray, 8, format.RLE, []byte(runs), nil, "BYTE_ARRAY values written as RLE, expected one of [PLAIN "},
		"differences of double":         {format.Double, 8, format.DeltaBinaryPacked, equal(1 << 24), nil, "DOUBLE values written as DELTA_BINARY_PACKED, expected one of [PLAIN "},
		"differences":                   {format.Int64, 8, format.DeltaBinaryPacked, equal(1 << 24), nil, "differences of 16777216 values in a page of 8"},
		"lengths":                       {format.ByteArray, 8, format.DeltaLengthByteArray, equal(1 << 24), nil, "differences of 16777216 values in a page of 8"},
		"prefixes":                      {format.ByteArray, 8, format.DeltaByteArray, equal(1 << 24), nil, "differences of 16777216 values in a page of 8"},
		"what follows prefixes":         {format.ByteArray, 8, format.DeltaByteArray, append(equal(8), equal(1<<24)...), nil, "differences of 16777216 values in a page of 8"},
		"long texts":                    {format.ByteArray, 1, format.DeltaByteArray, append(lengths(0), lengths(1<<31-1)...), nil, errLength.Error()},
		"long prefixes":                 {format.ByteArray, 2, format.DeltaByteArray, append(lengths(0, 1<<30), lengths(0, 0)...), nil, errLength.Error()},
		"a long text again and again":   {format.ByteArray, 4096, format.DeltaByteArray, slices.Concat(lengths(again...), lengths(once...), make([]byte, 1<<16)), nil, "texts of more than 134217728 bytes in a page"},
		"a dictionary of differences":   {format.Int64, 8, format.RLEDictionary, indices, []made{dictionary(format.DeltaBinaryPacked, 1, equal(1<<24))}, "INT64 values written as DELTA_BINARY_PACKED, expected one of [PLAIN "},
		"a dictionary of lengths":       {format.ByteArray, 8, format.RLEDictionary, indices, []made{dictionary(format.DeltaLengthByteArray, 1, equal(1<<24))}, "BYTE_ARRAY values written as DELTA_LENGTH_BYTE_ARRAY, expected one of [PLAIN "},
		"a dictionary of many numbers":  {format.Int64, 8, format.RLEDictionary, indices, []made{dictionary(format.Plain, 8<<20, make([]byte, 8<<20))}, "8388608 values in 8388608 bytes"},
		"a dictionary of many texts":    {format.ByteArray, 8, format.RLEDictionary, indices, []made{dictionary(format.Plain, 1<<25, make([]byte, 1<<10))}, "256 texts in a page, expected 33554432"},
		"numbers that are not there":    {format.Int64, 1 << 24, format.ByteStreamSplit, nil, nil, "16777216 values in 0 bytes"},
		"differences that are not":      {format.Int64, 1 << 24, format.DeltaBinaryPacked, equal(8), nil, "differences of 8 values in a page of 16777216"},
		"plain numbers that are not":    {format.Int32, 8, format.Plain, make([]byte, 31), nil, "8 values in 31 bytes"},
		"plain truth that is not there": {format.Boolean, 9, format.Plain, make([]byte, 1), nil, "9 values in 1 bytes"},
	} {
		for version := range 2 {
			t.Run(fmt.Sprintf("%s/%d", name, version+1), func(t *testing.T) {
				content := file(t, test.of, test.rows, plain(append(test.before, data(version+1, test.encoding, test.rows, test.body))...))
				_, allocated, err := readX(content)
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("%d bytes: %v, expected %s", len(content), err, test.want)
				}
				if allocated >= 64<<20 {
					t.Errorf("%d bytes: %d MiB were allocated", len(content), allocated>>20)
				}
			})
		}
	}
}

// TestTwoHeaders: the decoder takes a page of data for a dictionary where there is none
// and the header has the part of one.
func TestTwoHeaders(t *testing.T) {
	for version := range 2 {
		p := data(version+1, format.RLEDictionary, 8, []byte{1, 8 << 1, 0})
		p.header.DictionaryPageHeader = dictionary(format.Plain, 1<<24, nil).header.DictionaryPageHeader
		_, allocated, err := readX(file(t, format.Int64, 8, plain(p)))
		if err == nil || !strings.Contains(err.Error(), "expected data or a dictionary, and one header") || allocated >= 64<<20 {
			t.Errorf("version %d: %v, %d MiB were allocated", version+1, err, allocated>>20)
		}
	}
}

// TestCodecs: the decoder decompresses all row groups as the first, so that what was
// checked as not compressed would be decompressed.
func TestCodecs(t *testing.T) {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	first := data(1, format.Plain, 8, w.EncodeAll(make([]byte, 64), nil))
	first.header.UncompressedPageSize = 64
	bomb := data(1, format.Plain, 8, w.EncodeAll(make([]byte, 128<<20), nil))
	_, allocated, err := readX(file(t, format.Int64, 8, group{format.Zstd, []made{first}}, plain(bomb)))
	if want := "x.parquet: pages compressed by UNCOMPRESSED after others by ZSTD, expected one way in a column"; err == nil || err.Error() != want || allocated >= 64<<20 {
		t.Errorf("%v, %d MiB were allocated", err, allocated>>20)
	}
}

// TestTruths: runs as pyarrow and Spark write them, where a run of true is of 1 and its
// length any, which the decoder of the library does not read right.
func TestTruths(t *testing.T) {
	for name, test := range map[string]struct{ runs, want string }{
		"one run":                {"\x0a\x01", "TTTTT"},
		"two runs":               {"\x06\x01\x0e\x00", "TTTFFFFFFF"},
		"both kinds":             {"\x03\x0d\x14\x01\x03\x02", "TFTTFFFFTTTTTTTTTTFT"},
		"as this library writes": {"\x10\xff\x03\x0f", "TTTTTTTTTTTTFFFF"},
	} {
		for version := range 2 {
			values, _, err := readX(file(t, format.Boolean, len(test.want), plain(data(version+1, format.RLE, len(test.want), sizedBy(test.runs)))))
			got := strings.NewReplacer("true", "T", "false", "F").Replace(strings.Join(values, ""))
			if err != nil || got != test.want {
				t.Errorf("%s, version %d: %s, %v, expected %s", name, version+1, got, err, test.want)
			}
		}
	}
}

// TestTruthsAndNulls: true, null, true, false in the 4 pages of 2 row groups; one
// is not written as runs.
func TestTruthsAndNulls(t *testing.T) {
	levels, runs := "\x03\x0d", sizedBy("\x04\x01\x02\x00") // TFTT, and TTF
	for version := range 2 {
		page := func(encoding format.Encoding, body []byte) made {
			if version == 0 {
				return data(1, encoding, 4, append(sizedBy(levels), body...))
			}
			p := data(2, encoding, 4, append([]byte(levels), body...))
			p.header.DataPageHeaderV2.V.NumNulls, p.header.DataPageHeaderV2.V.DefinitionLevelsByteLength = 1, int32(len(levels))
			return p
		}
		truths, bits := page(format.RLE, runs), page(format.Plain, []byte{3})
		values, _, err := readX(fileOf(t, format.Boolean, format.Optional, 8, plain(truths, bits), plain(bits, truths)))
		want := slices.Repeat([]string{"true", "null", "true", "false"}, 4)
		if err != nil || !slices.Equal(values, want) {
			t.Errorf("version %d: %q, %v", version+1, values, err)
		}
		short := page(format.RLE, sizedBy("\x04\x01"))
		if _, _, err := readX(fileOf(t, format.Boolean, format.Optional, 4, plain(short))); err == nil || !strings.Contains(err.Error(), "runs of 2 values in a page of 3") {
			t.Errorf("version %d: %v", version+1, err)
		}
	}
}

// TestEncodings: all that is let through is read, whichever the version of pages.
func TestEncodings(t *testing.T) {
	const n = 1000
	var (
		ints    [n]int32
		longs   [n]int64
		floats  [n]float32
		doubles [n]float64
		texts   []byte
		ends    = []uint32{0}
		numbers [n]string
		words   [n]string
	)
	for k := range n {
		v := k * k % 771
		ints[k], longs[k], floats[k], doubles[k] = int32(v), int64(v), float32(v), float64(v)
		numbers[k], words[k] = fmt.Sprint(v), fmt.Sprint("word", v)
		texts = append(texts, words[k]...)
		ends = append(ends, uint32(len(texts)))
	}
	encoded := func(body []byte, err error) []byte {
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
	split, delta, prefixes, places := &parquet.ByteStreamSplit, &parquet.DeltaBinaryPacked, &parquet.DeltaByteArray, &parquet.RLEDictionary
	for name, test := range map[string]struct {
		of       format.Type
		encoding format.Encoding
		body     []byte
		before   []made
		want     []string
	}{
		"int32 as differences":   {format.Int32, format.DeltaBinaryPacked, encoded(delta.EncodeInt32(nil, ints[:])), nil, numbers[:]},
		"int64 as differences":   {format.Int64, format.DeltaBinaryPacked, encoded(delta.EncodeInt64(nil, longs[:])), nil, numbers[:]},
		"int32 split":            {format.Int32, format.ByteStreamSplit, encoded(split.EncodeInt32(nil, ints[:])), nil, numbers[:]},
		"int64 split":            {format.Int64, format.ByteStreamSplit, encoded(split.EncodeInt64(nil, longs[:])), nil, numbers[:]},
		"float split":            {format.Float, format.ByteStreamSplit, encoded(split.EncodeFloat(nil, floats[:])), nil, numbers[:]},
		"double split":           {format.Double, format.ByteStreamSplit, encoded(split.EncodeDouble(nil, doubles[:])), nil, numbers[:]},
		"plain double":           {format.Double, format.Plain, encoded(parquet.Plain.EncodeDouble(nil, doubles[:])), nil, numbers[:]},
		"plain text":             {format.ByteArray, format.Plain, encoded(parquet.Plain.EncodeByteArray(nil, texts, ends)), nil, words[:]},
		"text after its lengths": {format.ByteArray, format.DeltaLengthByteArray, encoded(parquet.DeltaLengthByteArray.EncodeByteArray(nil, texts, ends)), nil, words[:]},
		"text after prefixes":    {format.ByteArray, format.DeltaByteArray, encoded(prefixes.EncodeByteArray(nil, texts, ends)), nil, words[:]},
		"places of numbers": {
			format.Int64, format.RLEDictionary, encoded(places.EncodeInt32(nil, ints[:])),
			[]made{dictionary(format.Plain, 771, encoded(parquet.Plain.EncodeInt64(nil, upTo(771))))},
			numbers[:],
		},
		"places of numbers, by old names": {
			format.Int64, plainDictionary, encoded(places.EncodeInt32(nil, ints[:])),
			[]made{dictionary(plainDictionary, 771, encoded(parquet.Plain.EncodeInt64(nil, upTo(771))))},
			numbers[:],
		},
	} {
		for version := range 2 {
			values, _, err := readX(file(t, test.of, n, plain(append(test.before, data(version+1, test.encoding, n, test.body))...)))
			if err != nil || !slices.Equal(values, test.want) {
				t.Errorf("%s, version %d: %v, or other values", name, version+1, err)
			}
		}
	}
}

// upTo returns the numbers below n.
func upTo(n int64) (all []int64) {
	for k := range n {
		all = append(all, k)
	}
	return all
}
