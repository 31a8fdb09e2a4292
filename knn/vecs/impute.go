package vecs

import (
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// missing is a missing value until the means are known. No file has it: a text nan is missing, too.
var missing = float32(math.NaN())

// imputes reports whether the options fill missing values.
func (t *table) imputes() bool { return t.opt.Impute || t.opt.Means != nil }

func isMissing(field []byte) bool { return len(field) == 0 || lines.IsMissing(field) }

// mayImpute reports whether a field is missing, and the options fill such values.
func (t *table) mayImpute(field []byte, line int) bool {
	if !t.imputes() || !isMissing(field) {
		return false
	}
	if t.imputed++; t.imputed == 1 {
		t.imputedAt = line
	}
	return true
}

// impute fills the missing values of x, a row a point and a column a feature, by the means of their columns, or by those of other
// points. It returns the means; of categories they are 0.
func (t *table) impute(x *csr.Dense) ([]float32, error) {
	if !t.imputes() {
		return nil, nil
	}
	means := t.opt.Means
	if means == nil {
		means = make([]float32, x.Cols)
		for k := range means {
			sum, known := 0.0, 0
			for i := range x.Rows {
				if v := x.At(i, k); v == v && !t.categorical(k) {
					sum, known = sum+float64(v), known+1
				}
			}
			if known == 0 && !t.categorical(k) {
				column := t.column(t.features[k])
				return nil, &lines.Error{File: t.name, Msg: "column " + column + " has no value, expected some; leave it out by vecs.Options.Without " + column}
			}
			means[k] = float32(sum / float64(max(known, 1)))
		}
	}
	for k := range x.Data {
		if v := x.Data[k]; v != v && k%x.Cols < len(means) {
			x.Data[k] = means[k%x.Cols]
		}
	}
	return means, nil
}

// noteImputed notes the values that were missing.
func (t *table) noteImputed(list *notes.List) {
	list.Add(notes.ImputedValues, t.imputed, t.imputedAt, "")
}
