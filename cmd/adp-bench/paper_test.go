package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// TestBenchPaper: a small set under a name of the paper's gives its table and
// the other files; sets that are not there are skipped with a word; flags
// are checked.
func TestBenchPaper(t *testing.T) {
	data, out := t.TempDir(), filepath.Join(t.TempDir(), "paper")
	x := npy.AppendHeader(nil, "<f4", 40, 2)
	labels := ""
	for i := range 40 {
		for j := range 2 {
			v := float32(i%5) / 50
			if i%2 == j {
				v = 1 + float32(i)/50
			}
			x = binary.LittleEndian.AppendUint32(x, math.Float32bits(v))
		}
		labels += fmt.Sprintf("%d\t%d\n", i, i%2)
	}
	for name, text := range map[string]string{"orl.features.npy": string(x), "orl.labels.tsv": labels} {
		if err := os.WriteFile(filepath.Join(data, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	call := func(args ...string) (int, string) {
		code, _, text := call(append([]string{"paper"}, args...)...)
		return code, text
	}
	code, text := call("--data", data, "--out", out, "--methods", "LGC,ADP,LapRLS", "--draws", "2")
	if code != exits.OK || !strings.Contains(text, "coil20: skipped") || !strings.Contains(text, "orl LapRLS: 1: ") {
		t.Fatalf("exit %d:\n%s", code, text)
	}
	table, err := os.ReadFile(filepath.Join(out, "table2.md"))
	if err != nil || !strings.Contains(string(table), "| LapRLS † ") || !strings.Contains(string(table), "71.3±3.2") {
		t.Errorf("%v\n%s", err, table)
	}
	for _, name := range []string{"table1.md", "table1.csv", "table2.csv", "figure1.csv", "figure2.csv", "figure2.svg", "draws.csv"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	if code, text := call("--data", data, "--out", out, "--methods", "LGC", "--draws", "1", "--labels", "4"); code != exits.OK || !strings.Contains(text, "orl LGC: 4: ") {
		t.Errorf("--labels 4: exit %d:\n%s", code, text)
	}
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--data", data, "--out", out, "--sets", "iris"}, exits.Usage, `"iris"`},
		{[]string{"--data", data, "--out", out, "--methods", "magic"}, exits.Usage, `"magic"`},
		{[]string{"--data", data, "--out", out, "--labels", "0"}, exits.Usage, "--labels [0]"},
		{[]string{"--data", data, "--out", out, "--labels", "2", "--protocol", "published"}, exits.Usage, "--labels [2]"},
		{[]string{"--data", data, "--out", out, "--protocol", "magic"}, exits.Usage, `"magic"`},
		{[]string{"--data", data, "--out", out, "--draws", "0"}, exits.Usage, "--draws 0"},
		{[]string{"--data", data}, exits.Usage, "--out"},
		{[]string{"--data", t.TempDir(), "--out", out}, exits.Usage, "no set of the paper"},
	} {
		if code, text := call(test.args...); code != test.code || !strings.Contains(text, test.want) {
			t.Errorf("%v: exit %d, want %d:\n%s", test.args, code, test.code, text)
		}
	}
}
