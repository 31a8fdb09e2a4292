//go:build unix

package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// tableCases are what a stranger met who tried his tables.
func tableCases(t *testing.T) []trouble {
	const wide = "1,1,1000\n2,1,5000\n1,2,9000\n3,1,2000\n"
	const two = "0 x\n1 y\n"
	var points, numbers strings.Builder
	for i := range 12 {
		fmt.Fprintf(&points, "%d,%d\n", i*i%7, i)
		fmt.Fprintf(&numbers, "%d %d\n", i, i*i*37+5)
	}
	times := npy.AppendHeader(nil, "<f4", 4, 2)
	for _, v := range []float32{1, 1.7e9, 5, 1.7e9 + 128, 2, 1.7e9, 7, 1.7e9 + 256} {
		times = binary.LittleEndian.AppendUint32(times, math.Float32bits(v))
	}
	column := func(value string) given { return vectors("x.csv", "p,c\n1,"+value+"\n3,4\n") }
	return append(otherTables(), []trouble{
		{"tables: a thousand", column(`"1,000"`), 1, `x.csv:2: column 2: "1,000" is not in decimal form, expected a decimal number; if commas separate thousands, leave them out; if this is a decimal comma, write a point` + "\n"},
		{"tables: a million and a fraction", column(`"-1,000,000.5"`), 1, "; if commas separate thousands, leave them out"},
		{"tables: a decimal comma", column(`"1,0005"`), 1, "expected a decimal number; if this is a decimal comma, write a point\n"},
		{"tables: columns count from 1", vectors("x.csv", "p,c\n1,2\n", "--drop-columns 0"), 1, "x.csv:1: 2 columns, expected column 0; columns count from 1"},
		{"tables: more than ten titles", vectors("x.csv", "a,b,c,d,e,f,g,h,i,j,k,l\n1,2\n", "--drop-columns z"), 1, `"i", "j" and 2 more, or a number from 1 to 12`},
		{"tables: a metric by another name", vectors("x.csv", "1,2\n3,4\n", "--metric euclidean"), 2, `metric "euclidean", expected l2, cosine, hellinger, hellinger-idf, ip or manhattan, or auto, the default; euclidean is l2`},
		{"tables: a file without quotes in a configuration", given{args: "run --config c.toml", files: map[string]string{"c.toml": "k = 3\nfeatures = irisX.csv # mine\n"}}, 2, `c.toml:2: "toml: expected keyword \"inf\"", expected TOML: flag = value; text wants quotes: flag = "value"`},
		{"tables: a fault of quotes in a configuration", given{args: "run --config c.toml", files: map[string]string{"c.toml": "features = \"irisX.csv\n"}}, 2, "expected TOML: flag = value\n"},
		{"tables: a list for one value in a configuration", given{args: "run --config c.toml", files: map[string]string{"c.toml": "[run]\nlabels = [\"a\", \"b\"]\n"}}, 2, "c.toml:2: labels is a list, expected one value\n"},
		{"tables: a flag of other commands in a configuration", given{args: "version --config c.toml", files: map[string]string{"c.toml": "threads = 2\n"}}, 0, ""},
		{"tables: a flag of no command in a configuration", given{args: "version --config c.toml", files: map[string]string{"c.toml": "thread = 2\n"}}, 2, `c.toml:1: no flag "thread" of adp-sparse version`},
		{"tables: a date", column("2024-01-01"), 1, `x.csv:2: column 2: "2024-01-01" is not in decimal form, expected a decimal number; if the column is no feature, say --drop-columns "c"`},
		{"tables: per cent", column("32%"), 1, `; if the column is no feature, say --drop-columns "c"`},
		{"tables: a price", column("$16"), 1, `; if the column is no feature, say --drop-columns "c"`},
		{"tables: a time of day", column("12:34:56"), 1, `; if the column is no feature, say --drop-columns "c"`},
		{"tables: accepted: time stamps in an array", pointsOf("x.npy", string(times), two), 0, "warning [coarse-column]: column 2 of the features … such as its least value, or leave it out of the file\n"},
		{"tables: accepted: whole numbers as labels", pointsOf("x.csv", points.String(), numbers.String()), 0, `warning [number-labels]: labels: 12 labels that are a whole number of one node read as the name of a class (the first: "5"); numbers are not predicted: make classes of them, such as low and high`},
		{"tables: accepted: a column of another unit by manhattan", pointsOf("x.csv", wide, two, "--metric manhattan"), 0, "warning [one-column]: column 3 of the features has 100.0 % of the variance"},
		{"tables: accepted: a column of another unit in sparse rows", pointsOf("x.libsvm", "0 1:1 2:3 3:1000\n0 1:2 2:1 3:2000\n0 1:4 2:1 3:7000\n0 1:2 2:5 3:5000\n", "0 a\n3 b\n"), 0, "warning [one-column]: column 3 of the features has 100.0 % of the variance of all 3 columns … if the columns have unlike units, give dense features: sparse ones are not scaled"},
		{"tables: accepted: a column of another unit by lle", pointsOf("x.csv", wide, two, "--graph-kind lle --scale none"), 0, "warning [one-column]: column 3 of the features"},
	}...)
}

// otherTables are features and labels in files of other programs: each is named, with the line that converts it.
func otherTables() (cases []trouble) {
	for _, c := range []struct{ name, file, content, says, ofLabels string }{
		{"Excel", "x.xlsx", "PK\x03\x04", `an Excel file, which is not read; in Python: import pandas; pandas.read_excel("x.xlsx").to_csv("table.csv", index=False)`, ""},
		{"Excel of old", "x.xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel file, which is not read; in Python: ", ""},
		{"a pickle", "x.pkl", "\x80\x04\x95\x00", `a pickle of Python, which is not read; in Python: import pandas; pandas.DataFrame(pandas.read_pickle("x.pkl")).to_csv(`, ""},
		{"a pickle of another name", "x", "\x80\x04\x95\x00", `a pickle of Python, which is not read; in Python: `, ""},
		{"R", "x.rds", "X\n\x00\x00\x00\x03", `a file of R, which is not read; in R: write.csv(readRDS("x.rds"), "table.csv", row.names=FALSE)`, ""},
		{"Stata", "x.dta", "r\x02\x01\x00", `a Stata file, which is not read; in Python: import pandas; pandas.read_stata("x.dta")`, ""},
		{"SQLite", "x.sqlite", "SQLite format 3\x00", `an SQLite database, which is not read; in a shell: sqlite3 -header -csv "x.sqlite" "select * from NAME_OF_THE_TABLE" > table.csv`, ""},
		{"JSON", "x.json", `[{"a": 1}]`, `a JSON array of objects, which is not read; in Python: import pandas; pandas.read_json("x.json").to_csv("table.csv", index=False)`, `a JSON array of objects, expected labels: lines of the form id label [weight]; in Python: import pandas; pandas.read_json("x.json").to_csv("labels.csv", index=False), then --label-id and --label-column with the titles`},
		{"JSON by columns", "x.json", `{"a": {"0": 1}}`, `a JSON object, which is not read; in Python: import pandas; pandas.read_json("x.json")`, `a JSON object, expected labels: lines of the form id label [weight]; in Python: import csv, json; `},
		{"JSON lines", "x.jsonl", "{\"a\": 1}\n{\"a\": 2}\n", `JSON, an object a line, which is not read; in Python: import pandas; pandas.read_json("x.jsonl", lines=True)`, `JSON, an object a line, expected labels: lines of the form id label [weight]; in Python: import pandas; pandas.read_json("x.jsonl", lines=True)`},
	} {
		for flags, given := range map[string]given{
			"features":         vectors(c.file, c.content),
			"labels":           {args: "run --edges g --out out --labels " + c.file, files: map[string]string{c.file: c.content}},
			"labels in column": {args: "run --edges g --out out --label-column kind --labels " + c.file, files: map[string]string{c.file: c.content}},
			"truth":            {args: "eval --predictions p.tsv --truth " + c.file, files: map[string]string{"p.tsv": "node\tlabel\tconfidence\tmargin\tstatus\na\tx\t0.9\t0.8\tpredicted\n", c.file: c.content}},
		} {
			says := c.says
			if flags != "features" && c.ofLabels != "" {
				says = c.ofLabels
			}
			cases = append(cases, trouble{"tables: " + c.name + " as " + flags, given, 1, c.file + ": " + says})
		}
	}
	return append(cases,
		trouble{"tables: accepted: a column that begins as files of R do", pointsOf("x.csv", "A\n2\n3\n", "0 x\n1 y\n"), 0, "2 points of 1 dimensions"},
		trouble{"tables: accepted: 640 dimensions, whose number begins a pickle", pointsOf("x.fvecs", strings.Repeat("\x80\x02\x00\x00"+strings.Repeat("\x00\x00\x80\x3f", 640), 2), "0 x\n1 y\n"), 0, "2 points of 640 dimensions"},
		trouble{"tables: Parquet is in the list", vectors("x.data", "1,2\n"), 1, "vec, word2vec; if it is one of these, --format says which; parquet is read too"},
	)
}
