package points

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/knn/vecparquet"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// ColumnFlags are the flags of the columns of a table of vectors: names, features, and others.
type ColumnFlags struct {
	ID         string
	Only, Drop []string
	Categories []string // for [ColumnFlags.BindValues], as Impute
	Impute     string
	imputes    bool // the command has the flag
}

// Bind binds the flags. In their help, of is the flag of the file, numbered the names of points
// without a column of names, rest the columns that are no features.
func (c *ColumnFlags) Bind(cmd *cobra.Command, of, numbered, rest string) {
	flags := cmd.Flags()
	flags.StringVar(&c.ID, "id-column", "", "column of "+of+" that names the points: its title or number\nOf a table (csv, .parquet). Columns count from 1. Without it points are "+numbered+".")
	flags.StringSliceVar(&c.Only, "feature-columns", nil, "columns of "+of+" that are features: height,width or 2,3\nOf a table, by title or number. Default: all but "+rest+".")
	flags.StringSliceVar(&c.Drop, "drop-columns", nil, "columns of "+of+" that are no features, by title or number")
}

// imputations are the values of --impute.
var imputations = map[string]bool{"none": false, "mean": true}

// BindValues binds the flags of categories and missing values, for a file of which no model knows them.
func (c *ColumnFlags) BindValues(cmd *cobra.Command, of string) {
	c.imputes = true
	cmd.Flags().StringVar(&c.Impute, "impute", "none", "missing values of "+of+": none (refused) or mean\nOf a table. mean fills them with the mean of their column, and the summary counts them. Empty fields, NA, nan, null and the like are missing.")
	cmd.Flags().StringSliceVar(&c.Categories, "categories", nil, "columns of "+of+" that hold categories: country,colour or 3,4\nOf a table, by title or number. Each value becomes a column of 0 and 1, called country=DE. An empty field is a value too.")
}

// Check checks the flags for a file; the format is empty where the ending says it.
func (c *ColumnFlags) Check(file, format string) error {
	switch {
	case len(c.Only) > 0 && len(c.Drop) > 0:
		return usage.Errorf("--feature-columns and --drop-columns both choose the features; say one")
	case len(c.Only)+len(c.Drop) > 0 && !vecs.IsTable(file, format) && !isParquet(file, format, nil):
		return usage.Errorf("--feature-columns and --drop-columns are for tables (csv, .parquet), and %s is no table", cmp.Or(file, "--neighbors"))
	case (len(c.Categories) > 0 || imputations[c.Impute]) && !vecs.IsTable(file, format) && !isParquet(file, format, nil):
		return usage.Errorf("--categories and --impute are for tables (csv, .parquet), and %s is no table", cmp.Or(file, "--neighbors"))
	case slices.Contains(c.Only, "") || slices.Contains(c.Drop, ""):
		return usage.Errorf("--feature-columns and --drop-columns take titles, or numbers from 1, and one is empty")
	case slices.Contains(c.Categories, ""):
		return usage.Errorf("--categories takes titles, or numbers from 1, and one is empty")
	}
	if !c.imputes {
		return nil
	}
	_, err := usage.Choose("impute", c.Impute, imputations)
	return err
}

// isParquet reports whether vectors are in Parquet: by their format if it is given, else by the
// ending of the file, else by its first bytes.
func isParquet(name, given string, head []byte) bool {
	if given != "" {
		return strings.EqualFold(given, "parquet") || strings.EqualFold(given, "pq")
	}
	if format.Ending(name) != "" {
		head = nil
	}
	return format.Parquet.Is(name, head)
}

// checkForeign refuses vectors in a format that other programs write, unless their format is given, or the ending says one
// that begins with the number of dimensions, which may be the start of anything.
func checkForeign(name, given string, head []byte) error {
	if err := format.CheckMatrix(name, head); err != nil {
		return err
	}
	if ending := format.Ending(name); given != "" || ending == ".fvecs" || ending == ".bvecs" {
		return nil
	}
	return format.CheckTable(name, head)
}

// orParquet adds Parquet, which has a reader of its own, to the formats that an error lists.
func orParquet(err error) error {
	if errors.Is(err, vecs.ErrFormat) {
		return fmt.Errorf("%w; parquet is read too", err)
	}
	return err
}

// ReadPoints reads vectors in any format.
func ReadPoints(r io.Reader, name string, size int64, opt vecs.Options) (*vecs.Features, error) {
	head, r := format.Peek(r, size)
	if err := checkForeign(name, opt.Format, head); err != nil {
		return nil, err
	}
	if !isParquet(name, opt.Format, head) {
		x, err := vecs.Read(r, name, size, opt)
		return x, orParquet(err)
	}
	if opt.Array != "" {
		return nil, usage.Errorf("--array is for a .npz file; %s is a Parquet file", name)
	}
	at, size, err := format.WholeParquet(r, name, size)
	if err != nil {
		return nil, err
	}
	return vecparquet.Read(at, name, size, opt)
}

// PointBlocks reads vectors in blocks.
func PointBlocks(r io.Reader, name string, size int64, opt vecs.Options, rows int, yield func(first int, x *vecs.Features) error) error {
	head, r := format.Peek(r, size)
	if err := checkForeign(name, opt.Format, head); err != nil {
		return err
	}
	if !isParquet(name, opt.Format, head) {
		return orParquet(vecs.Blocks(r, name, size, opt, rows, yield))
	}
	x, err := ReadPoints(r, name, size, opt)
	if err != nil {
		return err
	}
	return x.Blocks(rows, yield)
}

// headerOf is HeaderLabels where columns hold labels.
func headerOf(labels []string) vecs.Header {
	if len(labels) > 0 {
		return vecs.HeaderLabels
	}
	return vecs.HeaderAuto
}

// OptionsOf are the options that read the vectors of a model as its run did.
func OptionsOf(f *model.Features) vecs.Options {
	return vecs.Options{
		Format: f.Format, Array: f.Array, IDColumn: f.IDColumn, Header: headerOf(f.Without),
		Columns: f.Columns, Without: slices.Concat(f.Without, f.Drop), Known: KnownOf(f), Means: f.Means,
	}
}

// CategoriesOf returns the categories of vectors as a model has them, KnownOf those of a model as the reader takes them.
func CategoriesOf(x *vecs.Features) (out []model.Categories) {
	for _, c := range x.Categories {
		out = append(out, model.Categories(c))
	}
	return out
}

func KnownOf(f *model.Features) (out []vecs.Categories) {
	for _, c := range f.Categories {
		out = append(out, vecs.Categories(c))
	}
	return out
}

// orLabels adds advice to the error of a column that may hold labels; none where they are known.
func orLabels(err error, advice string) error {
	var column *vecs.ColumnError
	if advice == "" || !errors.As(err, &column) {
		return err
	}
	return fmt.Errorf("%w; if it holds labels, %s --label-column %s", err, advice, column.Column)
}
