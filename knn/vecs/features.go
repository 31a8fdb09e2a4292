package vecs

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// Features are n points of d dimensions: exactly one of Dense and Sparse, n×d
// row-major, is not nil.
type Features struct {
	Dense  *csr.Dense
	Sparse *csr.Matrix

	IDs    *ids.Table // names of the rows, from the id column of a csv file or words; else nil
	Labels []string   // labels of the rows, from a libsvm file; else nil

	// Titles are those of the dimensions, and Left those of the other columns but that of
	// ids, of a csv file with a header or a [Table]; else nil.
	Titles, Left []string
	// Columns are those that the dimensions have in a csv file or a [Table], from 0; else nil.
	Columns []int
	// Means are those of the features of a table that missing values were filled with, before categories became dimensions;
	// nil without Options.Impute.
	Means []float32
	// Categories are the features of a table that are categories, whose values are dimensions, in their order.
	Categories []Categories

	Notes notes.List // what the reader did not take as it stands
}

// Rows returns the number of points.
func (f *Features) Rows() int {
	if f.Dense != nil {
		return f.Dense.Rows
	}
	rows, _ := f.Sparse.Dims()
	return rows
}

// Dims returns the number of dimensions.
func (f *Features) Dims() int {
	if f.Dense != nil {
		return f.Dense.Cols
	}
	_, cols := f.Sparse.Dims()
	return cols
}

// Header says whether the first line of a csv file names the columns.
type Header int

// The ways to know.
const (
	HeaderAuto Header = iota // by its fields, see the package comment (default)
	HeaderYes
	HeaderNo
	// HeaderLabels is HeaderAuto of a table with a column of labels: a first line is a header too if a
	// field is the title of labels, or if it numbers the columns.
	HeaderLabels
)

// Options are the options of [Read]. The zero value goes by the file.
type Options struct {
	// Format is an ending, such as "npy", to use instead of the name's.
	Format string
	// Array is the name of the array in a .npz file. It may be empty where
	// the file has only one.
	Array string
	// IDColumn is the column of a csv file that holds the names of the
	// points: its name in the header, or its number from 1. Empty: none.
	IDColumn string
	Header   Header
	// Columns are the columns of a csv file that are features, by name or number, in
	// their order; empty means all that hold no ids and are not left out.
	Columns []string
	// Without are columns of a csv file that are no features, by name or
	// number, such as that of labels. Optional lists further columns to leave out if the file has
	// them, by name.
	Without, Optional []string
	// Impute fills missing values of a table by the mean of their column; an empty field, NA, nan and the like are missing. Means are
	// those of other points, in the order of their features, which are taken instead.
	Impute bool
	Means  []float32
	// Categories are the features of a table that say of what kind a point is, by name or number: each value is a
	// dimension of 0 and 1, by the title column=value. Known are those of other points; values that these have not are 0 in all dimensions.
	Categories []string
	Known      []Categories
	// Titles are those of other points; these must have the same and no more where
	// a csv file has a header: they are put in the order of Titles. Without a
	// header, columns are taken as they come.
	Titles []string
	// Comments are what comment lines of a csv file start with. Nil means # and % where the first
	// column is a feature, and none where it has names or is left out: they may start so. Empty means
	// that there are none.
	Comments []string
	// ZeroBased says that indices in a libsvm file start at 0, as those of a file with an index 0 do.
	ZeroBased bool
	// MemoryLimit is the most bytes of features, or of a .npz file that
	// comes as a stream, that Read may hold. Zero means 64 GiB for features
	// and 4 GiB for the .npz file.
	MemoryLimit int64
}

func (o *Options) limit(otherwise int64) int64 {
	if o.MemoryLimit > 0 {
		return o.MemoryLimit
	}
	return otherwise
}

// check refuses n values that would take more memory than allowed.
func (o *Options) check(name string, n, bytes int64) error {
	if most := o.limit(64 << 30); n > most/bytes {
		need := min(n, math.MaxInt64/bytes) * bytes
		return fmt.Errorf("%s: the features need %s or more, and %s is left for them: %w", name, figures.Bytes(need), figures.Bytes(most), ErrMemory)
	}
	return nil
}

// source is what the reader of a format gets.
type source struct {
	Source
	opt Options
	at  io.ReaderAt // the plain content, or nil
}

// Source is an open file: its content, its name for messages and formats,
// and its size in bytes, or -1 when that is not known.
type Source struct {
	R    io.Reader
	Name string
	Size int64
}

func (s *Source) errorf(format string, args ...any) error {
	return &lines.Error{File: s.Name, Msg: fmt.Sprintf(format, args...)}
}

// formats are the readers by the ending of a name.
var formats = map[string]func(*source) (*Features, error){
	"npy":      readNPY,
	"npz":      readNPZ,
	"fvecs":    readFvecs,
	"bvecs":    readBvecs,
	"csv":      readCSV,
	"tsv":      readCSV,
	"txt":      readCSV,
	"svm":      readSVM,
	"libsvm":   readSVM,
	"svmlight": readSVM,
	"vec":      readWords,
	"emb":      readWords,
	"word2vec": readWords,
	"glove":    readWords,
}

// IsTable reports whether features in a file of this name, or in a format that Options has, are in
// columns that may have titles.
func IsTable(name, format string) bool {
	switch formatOf(name, format) {
	case "csv", "tsv", "txt":
		return true
	}
	return false
}

// formatOf returns the format of a file, said or by its name.
func formatOf(name, format string) string {
	if format == "" {
		return ending(name)
	}
	return strings.ToLower(format)
}

// Read reads the features in r. The name gives the format and stands in
// messages; size is that of r, or -1. A .npz file is read in place if r is an
// [io.ReaderAt] and the size is known, else from a copy in memory.
//
// Dense features take 4 bytes a value, sparse ones 8 bytes an entry and 8 a
// row.
func Read(r io.Reader, name string, size int64, opt Options) (*Features, error) {
	format := formatOf(name, opt.Format)
	read := formats[format]
	if read == nil {
		advice := map[string]string{"parquet": "; package knn/vecparquet reads Parquet", "zip": "; unpack it first (unzip)", "tgz": "; unpack it first (tar -x)", "tar": "; unpack it first (tar -x)"}[format]
		if advice == "" && opt.Format == "" {
			advice = "; if it is one of these, vecs.Options.Format says which"
		}
		return nil, fmt.Errorf("%s: %w %s, expected one of %s%s", name, ErrFormat, lines.Quote([]byte(format)), endings(), advice)
	}
	if err := lines.CheckComments(opt.Comments); err != nil {
		return nil, fmt.Errorf("vecs: %w", err)
	}
	s, closer, err := openSource(Source{r, name, size}, opt)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	f, err := read(s)
	switch {
	case err != nil:
		return nil, err
	case f.Rows() == 0:
		return nil, s.errorf("no rows, expected at least one point")
	case f.Dims() == 0:
		return nil, s.errorf("no columns, expected at least one")
	}
	if f.isSymmetric() {
		f.Notes.Doubt(notes.SquareFeatures, 1, 0, fmt.Sprintf("%d×%d", f.Rows(), f.Dims()), "if they are similarities of the points, give them to npz.Read, if distances to nearest neighbours, to vecs.ReadDistances, both as a sparse matrix")
	}
	return f, nil
}

// isSymmetric reports whether the points are a symmetric matrix of more than two rows, but none of zeros.
func (f *Features) isSymmetric() bool {
	n := f.Rows()
	if n != f.Dims() || n < 3 {
		return false
	}
	if f.Sparse != nil {
		return f.Sparse.NNZ() > 0 && isSymmetric(f.Sparse)
	}
	some := false
	for i := range n {
		for j, v := range f.Dense.Row(i)[:i+1] {
			if v != f.Dense.Row(j)[i] {
				return false
			}
			some = some || v != 0
		}
	}
	return some
}

func endings() string {
	names := []string{}
	for name := range formats {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// openSource makes s.R the plain content of the file. Of compressed content
// the size is not known, and it cannot be read in place. The closer frees the
// decompressor.
func openSource(file Source, opt Options) (*source, io.Closer, error) {
	s := &source{Source: file, opt: opt}
	buffered := bufio.NewReaderSize(s.R, 64<<10)
	head, err := buffered.Peek(stream.Head)
	if err != nil && err != io.EOF {
		return nil, nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	s.at, _ = s.R.(io.ReaderAt)
	if stream.Compressed(head) {
		s.at, s.Size = nil, -1
	}
	plain, err := stream.Reader(buffered)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	s.R = plain
	return s, plain, nil
}
