package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
)

// TestOutputsSpare: no output takes the place of a file that is read though no flag names
// it, or of another output. What was there stays.
func TestOutputsSpare(t *testing.T) {
	dir := files(t,
		"x.csv", "1,2\n3,4\n5,7\n8,8\n9,7\n9,9\n", "n.csv", "1,1\n9,8\n", "s", "0 x\n5 y\n",
		"g", "a b\nb c\nc d\nd e\n", "gs", "a x\ne y\n", "c.toml", "[run]\nmethod = 'lgc'\n",
	)
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, args := range [][]string{
		{"run", "--features", at("x.csv"), "--labels", at("s"), "--method", "lgc", "--k", "2", "--out", at("l"), "--model", at("m.npz"), "--quiet"},
		{"partition", "--edges", at("g"), "--parts", "1", "--out", at("parts"), "--quiet"},
	} {
		if code, _, errs := call(args...); code != 0 {
			t.Fatal(errs)
		}
	}
	for name, to := range map[string]string{"link.csv": "x.csv", "x.json": "x.csv", "nodes.json": "parts/nodes.csr"} {
		must(t, os.Symlink(to, at(name)))
	}
	run := []string{"run", "--edges", at("g"), "--labels", at("gs"), "--method", "lgc", "--config", at("c.toml")}
	ranks := []string{"run", "--graph", at("parts"), "--labels", at("gs"), "--method", "lgc"}
	predict := []string{"predict", "--model", at("m.npz"), "--points", at("n.csv")}
	for _, c := range []struct {
		of   []string
		args string // flag and file in turn
		says string
	}{
		{predict, "--out x.csv", "--out x.csv is the file of the vectors that --model m.npz is of"},
		{predict, "--out link.csv", "--out link.csv is the file of the vectors that --model m.npz is of"},
		{predict, "--report x.json", "--report x.json is the file of the vectors that --model m.npz is of"},
		{run, "--out c.toml", "--out c.toml is the same file as --config c.toml"},
		{run, "--report c.toml", "--report c.toml is the same file as --config c.toml"},
		{run, "--graph-out c.toml", "--graph-out c.toml is the same file as --config c.toml"},
		{ranks, "--report nodes.json", "--report nodes.json is the same file as --graph parts/nodes.csr"},
		{ranks, "--graph-out parts/part-00000.csr", "--graph-out parts/part-00000.csr is the same file as --graph parts/part-00000.csr"},
	} {
		args := c.of
		for k, word := range strings.Fields(c.args) {
			if k%2 == 1 {
				word = at(word)
			}
			args = append(args[:len(args):len(args)], word)
		}
		before := everything(t, dir)
		code, _, errs := call(args...)
		if errs = strings.ReplaceAll(errs, dir+"/", ""); code != exits.Usage || !strings.Contains(errs, c.says) {
			t.Errorf("%s: exit %d, %s", c.args, code, errs)
		}
		for name, text := range everything(t, dir) {
			if before[name] != text {
				t.Errorf("%s: %s is no longer as it was", c.args, name)
				must(t, os.WriteFile(name, []byte(before[name]), 0o644))
			}
		}
	}
}

// everything returns the text of all files of a folder.
func everything(t *testing.T, dir string) map[string]string {
	all := map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			all[path] = read(t, path)
		}
		return err
	}))
	return all
}
