//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fileCases are what a file system can do to a run.
var fileCases = []trouble{
	{"files: no edges", command("run --edges none --labels s --out out"), 3, "open none: no such file or directory"},
	{"files: no labels", command("run --edges g --labels none --out out"), 3, "open none: no such file or directory"},
	{"files: no graph", command("run --graph none.csr --labels s --out out"), 3, "open none.csr: no such file or directory"},
	{"files: no features", command("knn --features none.npy --out out.tsv"), 3, "open none.npy: no such file or directory"},
	{"files: no neighbours", command("knn --neighbors none.npy --distances d.npy --out out.tsv"), 3, "open none.npy: no such file or directory"},
	{"files: a name with an escape sequence", command("run --edges \x1b[31mred --labels s --out out"), 3, "red: no such file or directory"},
	{"files: edges in a folder's place", given{args: "run --edges d --labels s --out out", setup: folder("d")}, 3, "read d: is a directory"},
	{"files: labels in a folder's place", given{args: "run --edges g --labels d --out out", setup: folder("d")}, 3, "read d: is a directory"},
	{"files: a graph in a folder's place", given{args: "run --graph d.csr --labels s --out out", setup: folder("d.csr")}, 3, "d.csr: is a directory"},
	{"files: features in a folder's place", given{args: "knn --features d.npy --out out.tsv", setup: folder("d.npy")}, 3, "d.npy: is a directory"},
	{"files: edges nobody may read", given{args: onPath, setup: mode("g", 0), drop: true}, 3, "open g: permission denied"},
	{"files: a link in a circle", given{args: "run --edges l --labels s --out out", setup: link("l", "l")}, 3, "open l: too many levels of symbolic links"},
	{"files: output in no folder", command("run --edges g --labels s --topk 2 --out no/out"), 3, "no/out: no such file or directory"},
	{"files: output under a file", command("run --edges g --labels s --topk 2 --out s/out"), 3, "s/out: not a directory"},
	{"files: output in a folder's place", given{args: "run --edges g --labels s --topk 2 --out d", setup: folder("d")}, 3, "d: is a directory"},
	{"files: output in a folder that is not writable", given{args: "run --edges g --labels s --topk 2 --out d/out", setup: folder("d", 0o555), drop: true}, 3, "d/out: permission denied"},
	{"files: learned graph in a folder that is not writable", given{args: onPath + " --graph-out d/a.tsv", setup: folder("d", 0o555), drop: true}, 3, "d/a.tsv: permission denied"},
	{"files: report in no folder", command(onPath + " --report no/r.json"), 3, "no/r.json: no such file or directory"},
	{"files: output with a name that is too long", command("run --edges g --labels s --topk 2 --out " + strings.Repeat("n", 300)), 3, "file name too long"},
	{"files: a full disk", command("run --edges g --labels s --topk 2 --out /dev/full"), 3, "/dev/full: no space left on device"},
	{"files: a full disk for the learned graph", command(onPath + " --graph-out /dev/full"), 3, "/dev/full: no space left on device"},
	{"files: a full standard output", given{args: "run --edges g --labels s --topk 2", env: `"$@" >/dev/full`}, 3, "no space left on device"},
	{"files: a limit on the size of files", given{args: onPath, env: `ulimit -f 0; "$@"`}, 3, "out: file too large"},
	{"files: a limit on the size, .csr", given{args: "convert --edges g --out out.csr", env: `ulimit -f 0; "$@"`}, 3, "out.csr: file too large"},
	{"files: .csr to a device", command("convert --edges g --out /dev/null.csr/x.csr"), 3, "x.csr: "},
	{"files: empty standard input", given{args: "run --edges - --labels s --out out"}, 1, "(standard input): no edges"},
	{"files: closed standard input", given{args: "run --edges - --labels s --out out", env: `"$@" <&-`}, 1, "(standard input): no edges"},
	{"files: a fault in standard input", given{args: "run --edges - --labels s --out out", stdin: "a b\nb c x\n"}, 1, `(standard input):2: weight "x"`},
	{"files: output is the edges", command("run --edges g --labels s --topk 2 --out g"), 2, "--out g is the same file as --edges g"},
	{"files: output is the labels, written otherwise", command("run --edges g --labels s --topk 2 --out ./s"), 2, "--out ./s is the same file as --labels s"},
	{"files: learned graph is the edges", command(onPath + " --graph-out g"), 2, "--graph-out g is the same file as --edges g"},
	{"files: report is the labels", command(onPath + " --report s"), 2, "--report s is the same file as --labels s"},
	{"files: output is a link to the edges", given{args: "run --edges g --labels s --topk 2 --out l", setup: link("g", "l")}, 2, "--out l is the same file as --edges g"},
	{"files: edges are a link to the output", given{args: "run --edges l --labels s --topk 2 --out out.tsv", files: map[string]string{"out.tsv": pathText}, setup: link("out.tsv", "l")}, 2, "--out out.tsv is the same file as --edges l"},
	{"files: output is a hard link to the edges", given{args: "run --edges g --labels s --topk 2 --out h", setup: hardLink("g", "h")}, 2, "--out h is the same file as --edges g"},
	{"files: output of knn is its features", given{args: "knn --features x.csv --k 1 --out x.csv", files: map[string]string{"x.csv": "1,2\n3,4\n5,7\n"}}, 2, "--out x.csv is the same file as --features x.csv"},
	{"files: neighbours of knn are its input", given{args: "knn --features x.csv --k 1 --neighbors-out x.csv", files: map[string]string{"x.csv": "1,2\n3,4\n5,7\n"}}, 2, "--neighbors-out x.csv is the same file as --features x.csv"},
	{"files: output of convert is its edges", given{args: "convert --edges g.csr --out g.csr", files: map[string]string{"g.csr": pathText}}, 2, "--out g.csr is the same file as --edges g.csr"},
	{"files: output of convert is its graph", given{args: "convert --graph g.mtx --out g.mtx", files: map[string]string{"g.mtx": "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n"}}, 2, "--out g.mtx is the same file as --graph g.mtx"},
	{"files: edges are what a killed run left", given{args: "run --edges .out.partial --labels s --out out", files: map[string]string{".out.partial": pathText}}, 2, "--edges .out.partial has the name of a temporary file of --out out"},
	{"files: two outputs in one file", command("run --edges g --labels s --topk 2 --out out.x --report ./out.x"), 2, "--out out.x and --report ./out.x are the same file"},
	{"files: two outputs of gen in one file", command("gen --nodes 1000 --out out.x --labels-out out.x"), 2, "--out out.x and --labels-out out.x are the same file"},
	{"files: two outputs to standard output", command("run --edges g --labels s --topk 2 --report -"), 2, "--out - and --report - are both standard output"},
	{"files: the second output fails", command(onPath + " --report no/r.json"), 3, "no/r.json"},
	{"files: accepted: output is a link", given{args: "run --edges g --labels s --topk 2 --out l --quiet", files: map[string]string{"out.target": oldText}, setup: link("out.target", "l")}, 0, "out.target: -rw-r--r-- node\tlabel"},
	{"files: accepted: output is a link to nothing", given{args: "run --edges g --labels s --topk 2 --out l --quiet", setup: link("out.new", "l")}, 0, "out.new: -rw-r--r-- node\tlabel"},
	{"files: output is a link in a circle", given{args: "run --edges g --labels s --topk 2 --out l", setup: link("l", "l")}, 3, "l: too many levels of symbolic links"},
	{"files: accepted: the old mode stays", given{args: onPath + " --quiet", setup: mode("out", 0o600)}, 0, "out: -rw------- node\tlabel"},
	{"files: accepted: an output nobody may write is replaced", given{args: onPath + " --quiet", setup: mode("out", 0o444)}, 0, "out: -r--r--r-- node\tlabel"},
	{"files: accepted: what a killed run left is taken over", given{args: onPath + " --quiet", setup: leftOver}, 0, "out: -rw-r--r-- node\tlabel"},
}

// folder makes a folder.
func folder(name string, mode ...os.FileMode) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		must(t, os.Mkdir(filepath.Join(dir, name), 0o755))
		for _, m := range mode {
			must(t, os.Chmod(filepath.Join(dir, name), m))
		}
	}
}

func mode(name string, m os.FileMode) func(*testing.T, string) {
	return func(t *testing.T, dir string) { must(t, os.Chmod(filepath.Join(dir, name), m)) }
}

func link(to, name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) { must(t, os.Symlink(to, filepath.Join(dir, name))) }
}

func hardLink(to, name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		must(t, os.Link(filepath.Join(dir, to), filepath.Join(dir, name)))
	}
}

// leftOver is what a run that was killed leaves beside its output.
func leftOver(t *testing.T, dir string) {
	for _, name := range []string{".out.partial", ".out.lock"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("part"), 0o600))
	}
}
