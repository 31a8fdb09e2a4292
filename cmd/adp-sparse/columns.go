package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// columnFlags are the flags that say what the columns of a csv file of vectors hold.
type columnFlags struct {
	id         string
	only, drop []string
}

// bind binds the flags for the file of another flag; numbered are the names of points without
// any, rest what holds no features.
func (c *columnFlags) bind(cmd *cobra.Command, of, numbered, rest string) {
	flags := cmd.Flags()
	flags.StringVar(&c.id, "id-column", "", "column of "+of+", a csv file, that names the points: its title, or its number from 1 (default: points are "+numbered+")")
	flags.StringSliceVar(&c.only, "feature-columns", nil, "columns of "+of+", a csv file, that are features, by title or number: height,width or 2,3 (default: all but "+rest+")")
	flags.StringSliceVar(&c.drop, "drop-columns", nil, "columns of "+of+", a csv file, that are no features, by title or number")
}

// check checks them for a file and its format, "" for that of its name.
func (c *columnFlags) check(file, format string) error {
	switch {
	case len(c.only) > 0 && len(c.drop) > 0:
		return usagef("--feature-columns and --drop-columns both choose the features; say one")
	case len(c.only)+len(c.drop) > 0 && !vecs.IsTable(file, format):
		return usagef("--feature-columns and --drop-columns are for csv files, where columns have titles, and %s is none", cmp.Or(file, "--neighbors"))
	case slices.Contains(c.only, "") || slices.Contains(c.drop, ""):
		return usagef("--feature-columns and --drop-columns take titles, or numbers from 1, and one is empty")
	}
	return nil
}

// headerOf says whether a csv file has a header: labels in some of its columns are
// found by one.
func headerOf(labels []string) vecs.Header {
	if len(labels) > 0 {
		return vecs.HeaderYes
	}
	return vecs.HeaderAuto
}

// optionsOf are the options that read the vectors of a model once more.
func optionsOf(f *model.Features) vecs.Options {
	return vecs.Options{
		Format: f.Format, Array: f.Array, IDColumn: f.IDColumn, Header: headerOf(f.Without),
		Columns: f.Columns, Without: slices.Concat(f.Without, f.Drop),
	}
}

// orLabels adds to the error of a column that is no feature what to do if it holds labels; with
// no advice that is known already.
func orLabels(err error, advice string) error {
	var column *vecs.ColumnError
	if advice == "" || !errors.As(err, &column) {
		return err
	}
	return fmt.Errorf("%w; if it holds labels, %s --label-column %s", err, advice, column.Column)
}
