//go:build unix

package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/npy"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

const pathText = "a b\nb c\nc d\n"

// packed compresses text as the ending of name says.
func packed(t *testing.T, name, text string) string {
	return packedFrom(t, name, strings.NewReader(text))
}

func packedFrom(t *testing.T, name string, text io.Reader) string {
	t.Helper()
	var b bytes.Buffer
	w, err := stream.Writer(&b, name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// repeated is n bytes of a text that is repeated, never in memory.
func repeated(text string, n int64) io.Reader {
	return io.LimitReader(&repeater{text: strings.Repeat(text, 1<<16/len(text))}, n)
}

type repeater struct {
	text string
	at   int
}

func (r *repeater) Read(b []byte) (int, error) {
	n := copy(b, r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	return n, nil
}

// altered returns text with the bits of mask changed in byte at, which counts
// from the end where it is negative.
func altered(text string, at int, mask byte) string {
	if at < 0 {
		at += len(text)
	}
	b := []byte(text)
	b[at] ^= mask
	return string(b)
}

// compressionCases are compressed files that are damaged, cut, or larger than
// they look.
func compressionCases(t *testing.T) []trouble {
	gz, zst := packed(t, ".gz", pathText), packed(t, ".zst", pathText)
	long := packed(t, ".gz", strings.Repeat(pathText, 20000))
	longZst := packed(t, ".zst", strings.Repeat(pathText, 20000))
	// A frame of one block, with a window of 2^28 bytes.
	const wide = "\x28\xb5\x2f\xfd\x00\x90\x21\x00\x00a b\n"
	zeros := packedFrom(t, ".zst", repeated("\x00", 192<<20))
	cut := "g: reading after line 3: unexpected EOF"
	cases := []trouble{
		{"gzip: one byte is missing", edges(gz[:len(gz)-1]), 1, cut},
		{"gzip: four bytes are missing", edges(gz[:len(gz)-4]), 1, cut},
		{"gzip: the checksum is missing", edges(gz[:len(gz)-8]), 1, cut},
		{"gzip: cut in the text", edges(long[:len(long)/2]), 1, "unexpected EOF"},
		{"gzip: two bytes", edges(gz[:2]), 1, "g: reading after line 0: unexpected EOF"},
		{"gzip: half a header", edges(gz[:7]), 1, "g: reading after line 0: unexpected EOF"},
		{"gzip: only a header", edges(gz[:10]), 1, "g: reading after line 0: unexpected EOF"},
		{"gzip: wrong checksum", edges(altered(gz, -8, 1)), 1, "gzip: invalid checksum"},
		{"gzip: wrong length", edges(altered(gz, -1, 1)), 1, "gzip: invalid checksum"},
		{"gzip: a bit of the text", edges(altered(long, 200, 4)), 1, "g: reading after line "},
		{"gzip: another method", edges(altered(gz, 2, 1)), 1, "gzip: invalid header"},
		{"gzip: zeros after the end", edges(gz + "\x00\x00\x00\x00"), 1, "g: reading after line 3: "},
		{"gzip: text after the end", edges(gz + "d e\n"), 1, "g: reading after line 3: "},
		{"gzip: the second member is cut", edges(gz + gz[:len(gz)-3]), 1, "unexpected EOF"},
		{"gzip: nothing inside", edges(packed(t, ".gz", "")), 1, "g: no edges"},
		{"gzip: inside gzip", edges(packed(t, ".gz", gz)), 1, "g:1: control byte 0x1f, expected UTF-8 text"},
		{"gzip: labels", seeds(packed(t, ".gz", "a x\nd y\n")[:20]), 1, "s: reading after line "},
		{"gzip: features", vectors("x.csv.gz", packed(t, ".gz", "1,2\n3,4\n")[:20]), 1, "x.csv.gz: reading after line "},
		{"gzip: line number inside", edges(packed(t, ".gz", "a b\nb c\nc d nan\n")), 1, `g:3: weight "nan" is not finite`},
		{"gzip: accepted: two members", edges(packed(t, ".gz", "a b\nb c\n") + packed(t, ".gz", "c d\n")), 0, "4 nodes, 3 edges"},
		{"gzip: accepted: a line across members", edges(packed(t, ".gz", "a b\nb") + packed(t, ".gz", " c\nc d\n")), 0, "4 nodes, 3 edges"},
		{"gzip: bomb of one line", edges(packedFrom(t, ".gz", repeated("a", 64<<20))), 1, "g:1: line longer than 1048576 bytes"},
		{"gzip: bomb of blank lines", edges(packedFrom(t, ".gz", repeated("\n", 63<<20))), 1, "g: no edges"},
		{"gzip: bomb of labels", seeds(packedFrom(t, ".gz", repeated("a", 64<<20))), 1, "s:1: line longer than 1048576 bytes"},
		{"zstd: bomb for a .csr file", matrix("x.csr.zst", zeros), 1, `x.csr.zst: starts with "\x00\x00`},
		{"zstd: bomb for a .npz file", matrix("x.npz.zst", zeros), 1, "x.npz.zst: not a .npz archive"},
		{"zstd: bomb for features in .npz", vectors("x.npz.zst", zeros), 1, "x.npz.zst: "},
		{"gzip: bomb for a .mtx file", matrix("x.mtx.gz", packedFrom(t, ".gz", repeated("%", 8<<20))), 1, "x.mtx.gz:1: "},
		{"zstd: bomb for a .npy file", vectors("x.npy.zst", zeros), 1, "x.npy.zst: not a .npy array"},
		{"zstd: one byte is missing", edges(zst[:len(zst)-1]), 1, "g: reading after line "},
		{"zstd: cut in the text", edges(longZst[:len(longZst)/2]), 1, "g: reading after line "},
		{"zstd: only the magic", edges(zst[:4]), 1, "g: reading after line 0: "},
		{"zstd: part of the magic", edges(zst[:3]), 1, "g:1: "},
		{"zstd: wrong checksum", edges(altered(zst, -1, 1)), 1, "g: reading after line "},
		{"zstd: a bit of the text", edges(altered(longZst, len(longZst)/2, 4)), 1, "g: reading after line "},
		{"zstd: a window of 256 MiB", edges(wide), 1, "g: reading after line 0: "},
		{"zstd: text after the end", edges(zst + "d e\n"), 1, "g: reading after line 3: "},
		{"zstd: nothing inside", edges(packed(t, ".zst", "")), 1, "g: no edges"},
		{"zstd: bomb of one line", edges(packedFrom(t, ".zst", repeated("a", 1<<30))), 1, "g:1: line longer than 1048576 bytes"},
		{"zstd: accepted: two frames", edges(zst + packed(t, ".zst", "d e\n")), 0, "5 nodes, 4 edges"},
		{"zip: edges in an archive", edges("PK\x03\x04\x14\x00\x00\x00\x08\x00"), 2, `--edges "g" is a .npz (zip) archive, which is read by --graph`},
		{"bzip2: edges", edges("BZh91AY&SY\x8a\x00\x00\x01"), 1, "bzip2, expected plain, gzip or zstd"},
		{"xz: edges", edges("\xfd7zXZ\x00\x00\x04"), 1, "xz, expected plain, gzip or zstd"},
	} // Each reader meets a decompressor that fails at the end, or in the middle.
	for _, file := range []struct {
		name  string
		input func(name, content string, more ...string) given
		text  string
	}{
		{"x.csr", matrix, csrFile(t)},
		{"x.mtx", matrix, "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n"},
		{"x.npz", matrix, npzFile(t)},
		{"x.npz", vectors, npzFile(t)},
		{"x.npy", vectors, string(npy.AppendHeader(nil, "|u1", 3, 1)) + "\x01\x02\x03"},
		{"x.fvecs", vectors, "\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x80\x3f"},
		{"x.libsvm", vectors, "1 1:1\n2 1:2\n1 1:4\n"},
		{"x.csv", vectors, "1,2\n3,4\n4,4\n"},
	} {
		for _, ending := range []string{".gz", ".zst"} {
			name := file.name + ending
			whole := packed(t, ending, file.text)
			for k, content := range map[string]string{"wrong checksum": altered(whole, map[string]int{".gz": -8, ".zst": -1}[ending], 1), "cut by a byte": whole[:len(whole)-1], "cut after 20": whole[:20]} {
				c := file.input(name, content)
				cases = append(cases, trouble{"compressed: " + name + ": " + k + ": " + strings.Fields(c.args)[0], c, 1, name + ": "})
			}
		}
	}
	return cases
}
