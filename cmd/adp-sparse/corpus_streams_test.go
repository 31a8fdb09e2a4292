//go:build unix

package main

import (
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
)

// through runs a command line of the program as a shell does with something about its streams.
func through(shell, args string) given { return given{args: args, env: shell} }

const (
	closedOut = `exec 3>&1; "$@" >&- 3>&-`
	fullOut   = `"$@" >/dev/full`
	// leftOut is a program whose reader leaves at once; its exit code is the shell's.
	leftOut = `{ sleep 0.2; "$@"; echo $? >code; } | true; exit $(cat code; rm code)`
	// headOut is one whose reader takes one line.
	headOut = `{ "$@"; echo $? >code; } | head -1 >/dev/null; exit $(cat code; rm code)`
)

// printing are command lines that print their answer on standard output.
var printing = map[string]string{
	"run":        "run --edges g --labels s --quiet",
	"convert":    "convert --edges g --out - --quiet",
	"inspect":    "inspect --edges g",
	"inspect2":   "inspect --edges g --json",
	"eval":       "eval --predictions p --truth t",
	"eval2":      "eval --predictions p --truth t --json",
	"tune":       "tune --edges g --labels t --methods lgc --alphas 0.5 --quiet",
	"suggest":    "suggest --edges g --labels s --quiet",
	"explain":    "explain --edges g --labels s --node b --quiet",
	"version":    "version",
	"help":       "help",
	"help run":   "help run",
	"run help":   "run --help",
	"completion": "completion bash",
	"man":        "man run",
	"demo":       "demo",
}

const fewPredicted = "node\tlabel\tconfidence\tmargin\tstatus\na\tx\t1\t1\tseed\nb\tx\t1\t1\tpredicted\nd\ty\t1\t1\tseed\n"

// streamCases are about standard output, compressed forms, outputs in the way of others, and names
// that turn the line.
func streamCases(t *testing.T) (cases []trouble) {
	for name, args := range printing {
		with := func(shell string) given {
			c := through(shell, args)
			c.files = map[string]string{"p": fewPredicted, "t": "a x\nb x\nc y\nd y\n"}
			return c
		}
		cases = append(cases, trouble{"streams: closed: " + name, with(closedOut), 3, "write (standard output): it is closed"})
		if _, err := os.Stat("/dev/full"); err == nil {
			cases = append(cases, trouble{"streams: full: " + name, with(fullOut), 3, "write /dev/stdout: no space left on device"})
		}
		cases = append(cases, trouble{"streams: accepted: to nowhere: " + name, with(`"$@" >/dev/null`), 0, ""})
	}
	cases = append(cases, []trouble{
		{"streams: closed, with a file besides", through(closedOut, "run --edges g --labels s --out - --report out"), 3, "it is closed"},
		{"streams: closed, by the name of the system", through(closedOut, "run --edges g --labels s --out /dev/stdout"), 3, "it is closed"},
		{"streams: closed before the program that starts it", through(`exec >&-; env "$@"`, "version"), 3, "it is closed"},
		{"streams: accepted: closed and not needed", through(closedOut, "run --edges g --labels s --out out --quiet"), 0, "seed"},
		{"streams: accepted: the null device for reading and writing, from a parent", through(`exec 1<>/dev/null; "$@"; true`, "version"), 0, ""},
		{"help: no such command", command("help rnu"), 2, `unknown command "rnu" for "adp-sparse"; did you mean knn or run? See adp-sparse --help`},
		{"help: nothing like it", command("help nonsense"), 2, `unknown command "nonsense" for "adp-sparse"; see adp-sparse --help`},
		{"help: more than a command", command("help run more"), 2, `unexpected argument "more" after help run`},
		{"help: no such shell", command("help completion basj"), 2, `unknown command "basj" for "adp-sparse completion"; did you mean bash?`},
		{"completion: no such shell", command("completion basj"), 2, `unknown command "basj" for "adp-sparse completion"; did you mean bash? See adp-sparse completion --help`},
		{"completion: more than a shell", command("completion bash more"), 2, `unknown command "more" for "adp-sparse completion bash"`},
		{"usage: nearly a command", command("rnu"), 2, `unknown command "rnu" for "adp-sparse"; did you mean knn or run?`},
		{"completion: accepted: help on it", command("completion"), 0, "bash … fish … zsh"},
		{"csv: safe for spreadsheets", given{args: "run --edges g --labels s --out out.csv --csv-safe --proba --quiet", files: map[string]string{
			"g": "=1+1\t-0.5\n-0.5\t@x\n@x\t+b;=c\n", "s": "=1+1\t-3\n+b;=c\t=y\n",
		}}, 0, `status,"-3","'=y" … "'+b;=c","'=y", … "-0.5", … "'=1+1","-3", … "'@x",`},
		{"csv: as names are", given{args: "run --edges g --labels s --out out.csv --quiet", files: map[string]string{
			"g": "=1+1\t-0.5\n-0.5\t@x\n", "s": "=1+1\t-3\n@x\t=y\n",
		}}, 0, "\n=1+1,-3,"},
		{"csv: safe, and no csv", command(onPath + " --csv-safe"), 2, "--csv-safe is for an --out that ends in .csv, and this is out"},
		{"names: that turn the line, in an error", seeds("a x\nz\u202e y\n"), 1, `node "z\u202e" is not in the graph`},
		{"names: that a terminal acts on, in an error", seeds("a x\nz\u009b31m y\n"), 1, `node "z\u009b31m" is not in the graph`},
		{"names: that turn the line, in the result", given{args: "run --edges g --labels s --out out --report out.html", files: map[string]string{
			"g": "a\u202e b\u009b\nb\u009b c\n", "s": "a\u202e x\u2066\nc y\u200b\n",
		}}, 0, "a\u202e\tx\u2066\t … b\u009b\t … " + `&#34;x\u2066&#34;`},
	}...)
	cases = append(cases, leavingCases()...)
	cases = append(cases, compressedCases(t)...)
	return append(cases, plantedCases()...)
}

// leavingCases are of readers of standard output that leave.
func leavingCases() (cases []trouble) {
	for name, args := range printing {
		c := through(leftOut, args)
		c.files = map[string]string{"p": fewPredicted, "t": "a x\nb x\nc y\nd y\n"}
		cases = append(cases, trouble{"streams: the reader leaves: " + name, c, exits.Gone, ""})
	}
	long := map[string]string{"g": path(20000), "s": "0 x\n19999 y\n"}
	return append(cases, []trouble{
		{"streams: the reader takes a line", given{args: "run --edges g --labels s --method lgc --quiet", env: headOut, files: long}, exits.Gone, ""},
		{"streams: the reader takes a line, by the name of the system", given{args: "run --edges g --labels s --method lgc --quiet --out /dev/stdout", env: headOut, files: long}, exits.Gone, ""},
		{"streams: the reader takes a line, for programs", given{args: "run --edges g --labels s --method lgc --log json", env: headOut + " | cat", files: long}, 0, ""},
		{"streams: the reader leaves, and files are whole", given{
			args: "run --edges g --labels s --method lgc --quiet --out - --report out", files: long,
			env: `{ "$@"; echo $? >code; } | head -1 >/dev/null; test "$(cat code)" = 141 && rm code && tail -c 3 out`,
		}, 0, "}\n"},
	}...)
}

// skipped is a frame of zstd that holds no content.
func skipped(kind byte, content string) string {
	return string(binary.LittleEndian.AppendUint32([]byte{0x50 + kind, 0x2a, 0x4d, 0x18}, uint32(len(content)))) + content
}

// compressedCases are of compressed forms, read and refused.
func compressedCases(t *testing.T) (cases []trouble) {
	zst := packed(t, ".zst", pathText)
	skip := skipped(0, "") + skipped(15, "what others wrote")
	graph := "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n"
	idle := func(line, ending string) string {
		return packedFrom(t, ending, io.LimitReader(&repeater{text: strings.Repeat(line, 1<<16/len(line))}, 80<<20))
	}
	cases = []trouble{
		{"zstd: accepted: frames to skip first", edges(skip + zst), 0, "4 nodes, 3 edges"},
		{"zstd: accepted: frames to skip between and after", edges(zst + skip + packed(t, ".zst", "d e\n") + skip), 0, "5 nodes, 4 edges"},
		{"zstd: accepted: from standard input", given{args: "run --edges - --labels s --out out --topk 2", stdin: skip + zst}, 0, "4 nodes, 3 edges"},
		{"zstd: accepted: frames to skip before labels", seeds(skip + packed(t, ".zst", "a x\nd y\n")), 0, "seed"},
		{"zstd: accepted: frames to skip before a matrix", matrix("x.mtx.zst", skip+packed(t, ".zst", graph)), 0, "0\t1\t1"},
		{"zstd: accepted: frames to skip before features", vectors("x.csv.zst", skip+packed(t, ".zst", "1,2\n3,4\n4,4\n")), 0, "\t"},
		{"zstd: nothing but a frame to skip", edges(skip), 1, "g: no edges"},
		{"zstd: a frame to skip is cut", edges(zst + skip[:len(skip)-1]), 1, "g: reading after line 3: unexpected EOF"},
		{"zstd: something else after a frame to skip", edges(skip + "a b\n"), 1, "expected another frame of zstd, or the end"},
		{"zstd: a dictionary", edges("\x37\xa4\x30\xec\x01\x00\x00\x00"), 1, "a dictionary of zstd"},
		{"gzip: a member cut in its name", edges(packed(t, ".gz", pathText) + "\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\x03na"), 1, "unexpected EOF"},
		{"gzip: zeros after the end are named", edges(packed(t, ".gz", pathText) + "\x00"), 1, "zeros after the end … unpack it first (gzip -d)"},
		{"gzip: other bytes after the end are named", edges(packed(t, ".gz", pathText) + "c d\n"), 1, "no further member"},
		{"zip: labels", seeds("PK\x03\x04\x14\x00\x00\x00"), 1, "s:1: control byte 0x03 … this is a zip archive: unpack it first (unzip)"},
		{"brotli: by its name", given{args: "run --edges g.tsv.br --labels s --out out", files: map[string]string{"g.tsv.br": "\x0b\x02\x80a b\n\x03"}}, 1, "a file of brotli, as the name says, must be unpacked first (brotli -d)"},
		{"gzip: a run of blank lines", edges(idle("\n", ".gz")), 1, "bytes of nothing but blank lines and comments"},
		{"zstd: a run of blank lines of labels", seeds(idle(" \r\n", ".zst")), 1, "bytes of nothing but blank lines and comments"},
		{"zstd: a run of comments", edges(idle("#\n", ".zst")), 1, "bytes of nothing but blank lines and comments"},
		{"gzip: a run of comments of a matrix", matrix("x.mtx.gz", packed(t, ".gz", graph[:51])+idle("%\n", ".gz")), 1, "bytes of nothing but blank lines and comments"},
	}
	for name, head := range map[string]string{
		"xz": "\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4\x46", "bzip2": "BZh91AY&SY\x8a\x00\x00\x01", "lz4": "\x04\x22\x4d\x18\x64\x40\xa7",
		"lzip": "LZIP\x01\x0c\x00", "lzma": "]\x00\x00\x80\x00\xff\xff\xff\xff\xff\xff\xff\xff\x00", "compress (.Z)": "\x1f\x9d\x90\x61", "7-Zip": "7z\xbc\xaf\x27\x1c\x00\x04", "RAR": "Rar!\x1a\x07\x01\x00",
	} {
		want := name + ", expected plain, gzip or zstd; unpack it first ("
		for what, c := range map[string]given{
			"edges": edges(head), "labels": seeds(head), "a matrix": matrix("x.mtx", head), "features": vectors("x.csv", head),
			"a matrix by another ending": matrix("x.mtx.xz", head), "a Parquet file": {args: "convert --out out.tsv --edges x.parquet", files: map[string]string{"x.parquet": head}},
		} {
			if what == "a Parquet file" {
				continue // which says what its own content should begin with
			}
			cases = append(cases, trouble{"compressed: " + name + ": " + what, c, 1, want})
		}
	}
	return cases
}

// plantedCases are of things in the place of a partial file or a lock, which stay.
func plantedCases() (cases []trouble) {
	plants := map[string]func(name string) error{
		"a folder": func(name string) error { return os.Mkdir(name, 0o755) },
		"a pipe":   func(name string) error { return syscall.Mkfifo(name, 0o644) },
		"a link":   func(name string) error { return os.Symlink("g", name) },
	}
	text := func(name string) error {
		return os.WriteFile(name, []byte("a text of mine, of more than a line\n"), 0o644)
	}
	for kind, more := range map[string]func(name string) error{".out.partial": nil, ".out.lock": text} {
		for what, plant := range plants {
			cases = append(cases, planted(kind, what, onPath, plant))
		}
		if more != nil {
			cases = append(cases, planted(kind, "a file of others", onPath, more))
		}
	}
	for what, plant := range plants {
		cases = append(cases, planted(".state.partial", what+" before a checkpoint", onPath+" --checkpoint state", plant))
		cases = append(cases, planted("parts.partial", what+" before parts", "partition --edges g --parts 1 --out parts", plant))
	}
	return cases
}

func planted(name, what, args string, plant func(name string) error) trouble {
	return trouble{"outputs: " + name + " is " + what, given{args: args, setup: func(t *testing.T, dir string) {
		must(t, plant(filepath.Join(dir, name)))
	}}, 3, name + " is in the way, and no run made it"}
}
