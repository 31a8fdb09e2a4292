package parquet

import (
	"slices"
	"strings"
)

// WeightOf returns the column of weights that nobody has named: weight, else the only one
// that is called so in other letters, else "".
func WeightOf(columns []string) string {
	if slices.Contains(columns, "weight") {
		return "weight"
	}
	found := ""
	for _, column := range columns {
		if strings.EqualFold(column, "weight") {
			if found != "" {
				return ""
			}
			found = column
		}
	}
	return found
}
