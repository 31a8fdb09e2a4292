package stream

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func compress(t *testing.T, name, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := Writer(&out, name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func decompress(packed []byte) (string, error) {
	r, err := Reader(bytes.NewReader(packed))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(r)
	return string(text), errors.Join(err, r.Close())
}

var text = strings.Repeat("one two 3\n", 50000)

func TestRoundTrip(t *testing.T) {
	for _, name := range []string{"f", "f.gz", "f.zst", "f.tsv", "f.GZ", "f.tsv.Zst"} {
		for _, want := range []string{"", "a", "a\tb\n", text} {
			packed := compress(t, name, want)
			if got, err := decompress(packed); got != want || err != nil {
				t.Errorf("%s: %d bytes became %d, error %v", name, len(want), len(got), err)
			}
			if again := compress(t, name, want); !bytes.Equal(packed, again) {
				t.Errorf("%s: two runs wrote different bytes", name)
			}
		}
		if compressed := len(compress(t, name, text)) < len(text)/10; compressed != (name != "f" && name != "f.tsv") {
			t.Errorf("%s: compressed is %v", name, compressed)
		}
	}
}

func TestReaderJoinsMembers(t *testing.T) {
	for _, name := range []string{"f.gz", "f.zst"} {
		packed := append(compress(t, name, "a b\n"), compress(t, name, "c d\n")...)
		if got, err := decompress(packed); got != "a b\nc d\n" || err != nil {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

// Every cut and every flipped byte of a compressed file is an error, or gives
// the same text: never another text without an error.
func TestReaderNoticesDamage(t *testing.T) {
	short := strings.Repeat("one two 3\n", 20)
	for _, name := range []string{"f.gz", "f.zst"} {
		packed := compress(t, name, short)
		for cut := 4; cut < len(packed); cut++ {
			if _, err := decompress(packed[:cut]); err == nil {
				t.Errorf("%s cut to %d of %d bytes: no error", name, cut, len(packed))
			}
		}
		for k := range packed[4:] {
			for bit := range 8 {
				bad := bytes.Clone(packed)
				bad[4+k] ^= 1 << bit
				if got, err := decompress(bad); err == nil && got != short {
					t.Errorf("%s with bit %d of byte %d flipped: %q without an error", name, bit, 4+k, got)
				}
			}
		}
	}
	if _, err := decompress(append(compress(t, "f.gz", short), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)); err == nil {
		t.Error("zeros after the last member: no error")
	}
}

func TestReaderCutHeader(t *testing.T) {
	for _, head := range []string{"\x1f\x8b", "\x1f\x8b\x08\x00", "\x1f\x8bxx", "\x28\xb5\x2f\xfd"} {
		if got, err := decompress([]byte(head)); err == nil {
			t.Errorf("%q: %q without an error", head, got)
		}
	}
}

// A frame may ask for a window of up to 128 MiB, not more.
func TestReaderBoundsWindow(t *testing.T) {
	// Frame header: magic, descriptor without size, window exponent 10+20.
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 20 << 3, 0x01, 0x00, 0x00}
	if _, err := decompress(frame); err == nil || !strings.Contains(err.Error(), "window") {
		t.Errorf("got %v, want an error about the window", err)
	}
}

func TestReaderPassesErrors(t *testing.T) {
	cause := errors.New("disk gone")
	if _, err := Reader(iotest.ErrReader(cause)); !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
	r, err := Reader(io.MultiReader(strings.NewReader("abcdef"), iotest.ErrReader(cause)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(r); !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
}

func TestReaderByOneByte(t *testing.T) {
	for _, name := range []string{"f", "f.gz", "f.zst"} {
		r, err := Reader(iotest.OneByteReader(bytes.NewReader(compress(t, name, "a b\n"))))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); string(got) != "a b\n" || err != nil {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

func TestTrimEnding(t *testing.T) {
	for name, want := range map[string]string{"a.tsv": "a.tsv", "a.tsv.gz": "a.tsv", "a.tsv.zst": "a.tsv", "gz": "gz", "a.zst.gz": "a.zst", "a.gz.zst": "a.gz", "a.CSV.GZ": "a.CSV", ".Zst": ""} {
		if got := TrimEnding(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
