package stream

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// ErrForeign is wrapped by the error for content in a compressed form that is known and not read.
var ErrForeign = errors.New("compressed in a form that is not read here")

// Head is the number of bytes that tell the form of a file.
const Head = 16

// foreign are compressed forms that are not read: how each begins, by its specification, and what
// unpacks it. Those whose magic could be text have more of the header; a form without a magic
// (brotli) is not among them.
var foreign = []struct {
	name, unpack string
	is           func(head []byte) bool
}{
	{"xz", "xz -d", begins("\xfd7zXZ\x00")},
	{"bzip2", "bzip2 -d", func(head []byte) bool {
		return begins("BZh")(head) && len(head) >= 10 && head[3] >= '1' && head[3] <= '9' &&
			(string(head[4:10]) == "1AY&SY" || string(head[4:10]) == "\x17\x72\x45\x38\x50\x90") // a block, or the end
	}},
	{"lz4", "lz4 -d", begins("\x04\x22\x4d\x18", "\x02\x21\x4c\x18")},
	{"lzip", "lzip -d", begins("LZIP\x00", "LZIP\x01")},
	{"lzma", "xz -d --format=lzma", func(head []byte) bool {
		return len(head) >= 13 && head[0] < 9*5*5 && head[1] == 0 && head[2] == 0 && // a dictionary of 2^16 bytes or more
			(string(head[5:13]) == "\xff\xff\xff\xff\xff\xff\xff\xff" || head[0] == 0x5d && head[11] == 0 && head[12] == 0)
	}},
	{"lzop", "lzop -d", begins("\x89LZO\x00\r\n\x1a\n")},
	{"snappy", "a program for framed snappy", begins("\xff\x06\x00\x00sNaPpY")},
	{"compress (.Z)", "gzip -d", begins("\x1f\x9d")},
	{"pack (.z)", "gzip -d", begins("\x1f\x1e")},
	{"7-Zip", "7z x", begins("7z\xbc\xaf\x27\x1c")},
	{"RAR", "unrar x", begins("Rar!\x1a\x07")},
	{"an older zstd (before 0.8)", "zstd -d", func(head []byte) bool {
		return len(head) >= 4 && head[0] >= 0x22 && head[0] <= 0x27 && begins("\xb5\x2f\xfd")(head[1:])
	}},
	{"a dictionary of zstd", "zstd -d -D", begins("\x37\xa4\x30\xec")},
}

// foreignEndings are those of compressed files and archives that [Writer] does not write.
var foreignEndings = []string{
	".7z", ".br", ".bz", ".bz2", ".gzip", ".lz", ".lz4", ".lzma", ".lzo", ".rar", ".sz", ".tar", ".tbz", ".tbz2",
	".tgz", ".txz", ".tzst", ".xz", ".z", ".zip", ".zstd",
}

// IsForeign reports whether a name ends as those of compressed files and archives do that [Writer] does not write.
func IsForeign(name string) bool {
	return slices.Contains(foreignEndings, strings.ToLower(filepath.Ext(TrimEnding(name))))
}

// begins returns a test of whether a file begins with one of several texts.
func begins(texts ...string) func(head []byte) bool {
	return func(head []byte) bool {
		for _, text := range texts {
			if bytes.HasPrefix(head, []byte(text)) {
				return true
			}
		}
		return false
	}
}

// foreignTo returns the error for a file that starts with head in a form that is not read, nil for
// others.
func foreignTo(head []byte) error {
	for _, f := range foreign {
		if f.is(head) {
			return fmt.Errorf("%w: %s, expected plain, gzip or zstd; unpack it first (%s)", ErrForeign, f.name, f.unpack)
		}
	}
	return nil
}

// isSkippable reports whether a frame of zstd that holds no content begins (RFC 8878, 3.1.2).
// Frames of lz4 may be preceded by such too.
func isSkippable(head []byte) bool {
	return len(head) >= 4 && binary.LittleEndian.Uint32(head)&^0xf == 0x184d2a50
}
