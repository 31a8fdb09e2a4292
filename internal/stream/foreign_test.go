package stream

import (
	"encoding/binary"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// skippable returns a frame of zstd that holds no content.
func skippable(kind byte, content string) []byte {
	frame := binary.LittleEndian.AppendUint32([]byte{0x50 + kind, 0x2a, 0x4d, 0x18}, uint32(len(content)))
	return append(frame, content...)
}

// TestSkippableFrames: they may stand before, between and after the frames of content, and each
// cut of them is noticed.
func TestSkippableFrames(t *testing.T) {
	one, two := compress(t, "f.zst", "a b\n"), compress(t, "f.zst", "c d\n")
	for kind := range byte(16) {
		skip := skippable(kind, "what others wrote")
		var all []byte
		for _, part := range [][]byte{skip, skippable(kind, ""), one, skip, skip, two, skip} {
			all = append(all, part...)
		}
		if got, err := decompress(all); got != "a b\nc d\n" || err != nil {
			t.Errorf("kind %d: %q, %v", kind, got, err)
		}
	}
	for cut := 1; cut < 25; cut++ {
		if cut >= 4 && !Compressed(skippable(3, "what others wrote")[:cut]) {
			t.Errorf("%d bytes of a frame are not told", cut)
		}
		if got, err := decompress(append(one[:len(one):len(one)], skippable(3, "what others wrote")[:cut]...)); err == nil {
			t.Errorf("a frame cut to %d bytes: %q without an error", cut, got)
		}
	}
	if got, err := decompress(skippable(0, "alone")); got != "" || err != nil {
		t.Errorf("nothing but a frame to skip: %q, %v", got, err)
	}
	if _, err := decompress(append(skippable(0, ""), "\x04\x22\x4d\x18 lz4"...)); !errors.Is(err, ErrDamaged) {
		t.Errorf("lz4 after a frame to skip: %v", err)
	}
}

// TestForeign: what the programs write is told by name, and text is not taken for it.
func TestForeign(t *testing.T) {
	for program, want := range map[string]string{
		"xz": "xz -d", "bzip2": "bzip2 -d", "lz4": "lz4 -d", "lzma": "xz -d --format=lzma", "lzip": "lzip -d", "lzop": "lzop -d", "compress": "gzip -d",
	} {
		for _, content := range []string{"a b\nb c\n", ""} {
			cmd := exec.Command(program, "-c")
			cmd.Stdin = strings.NewReader(content)
			packed, err := cmd.Output()
			if err != nil || len(packed) == 0 {
				continue // not here
			}
			if _, err := decompress(packed); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), "("+want+")") {
				t.Errorf("%s of %q: %v", program, content, err)
			}
		}
	}
	for head, want := range map[string]string{
		"\xfd7zXZ\x00\x00\x04\xe6\xd6": "xz -d", "BZh91AY&SY\x8a\x00": "bzip2 -d", "BZh1\x17\x72\x45\x38\x50\x90": "bzip2 -d", "\x04\x22\x4d\x18\x64": "lz4 -d",
		"]\x00\x00\x80\x00\xff\xff\xff\xff\xff\xff\xff\xff\x00": "xz -d --format=lzma", "\x1f\x9d\x90": "gzip -d", "\x25\xb5\x2f\xfd\x00": "zstd -d", "\x37\xa4\x30\xec\x00": "zstd -d -D",
		"7z\xbc\xaf\x27\x1c\x00": "7z x", "Rar!\x1a\x07\x01\x00": "unrar x", "LZIP\x01\x0c": "lzip -d",
	} {
		if _, err := decompress([]byte(head)); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", head, err)
		}
	}
	for _, text := range []string{"BZh9 BZh8\nBZh8 a\n", "LZIP a\n", "P*M b\n", "] a\n", "Rar! b\n", "7z a\n", "x^ b\n"} {
		if got, err := decompress([]byte(text)); got != text || err != nil {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// TestGzipHeaders: a member may have all fields of RFC 1952; one that is cut in them is noticed,
// also after another member, where Go's package takes a cut name for the end.
func TestGzipHeaders(t *testing.T) {
	var member strings.Builder
	w := gzip.NewWriter(&member)
	w.Name, w.Comment, w.Extra = "a name", "a comment", []byte("BC\x02\x00\x00\x00")
	if _, err := io.WriteString(w, "a b\n"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	whole := member.String()
	if got, err := decompress([]byte(whole + whole)); got != "a b\na b\n" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for cut := 1; cut < len(whole); cut++ {
		if got, err := decompress([]byte(whole + whole[:cut])); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("a second member of %d bytes: %q, %v", cut, got, err)
		}
	}
	reserved := whole[:3] + string(whole[3]|0x20) + whole[4:]
	if _, err := decompress([]byte(reserved)); !errors.Is(err, ErrDamaged) {
		t.Errorf("a reserved flag: %v", err)
	}
	for after, want := range map[string]string{"\x00\x00": "zeros", "a b\n": "no further member", "\x1fa": "no further member"} {
		if _, err := decompress([]byte(whole + after)); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q after the end: %v", after, err)
		}
	}
}
