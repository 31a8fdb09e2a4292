package edgelist

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// Reading never panics. What it reads passes the checks of csr.New, is
// symmetric, and comes back from Write, times the power of 2 of its stats.
func FuzzEdgelist(f *testing.F) {
	for _, text := range []string{
		"a b 1\nb c 2\n", "1\t2\t0.5\n2\t1\t1e-300\n", "a,b,1e300\r\n#x\n%y\n\nb,#a,7", "\xef\xbb\xbfa a\nb b 0\na b 3",
		"source target\n1 2\n2 3", "a b x", "\x1f\x8b\x08\x00", "\x28\xb5\x2f\xfd\x04\x00", "#a\t%b",
	} {
		f.Add([]byte(text), uint8(0))
		f.Add([]byte(text), uint8(0xff))
	}
	f.Fuzz(func(t *testing.T, text []byte, bits uint8) {
		opt := Options{
			Directed: bits&1 != 0, Duplicates: csr.Duplicates(bits >> 1 & 3 % 3), Header: Header(bits >> 3 & 3 % 3),
			Threads: int(bits >> 5 & 3),
		}
		g, err := Read(bytes.NewReader(text), "f", opt)
		if err != nil {
			return
		}
		sound(t, g)
		var out bytes.Buffer
		if err := Write(&out, g.W, g.IDs, '\t'); err != nil {
			if !errors.Is(err, ErrName) {
				t.Error(err)
			}
			return
		}
		back, err := Read(&out, "f", Options{Header: HeaderNo})
		if err != nil {
			t.Fatal(err)
		}
		// W ← 2^e·W, at least 2^-126: half of a weight that was raised to that is raised again.
		_, _, data := g.W.Arrays()
		scaled := make([]float32, len(data))
		for k, v := range data {
			scaled[k] = float32(max(math.Ldexp(float64(v), back.Stats.ScaleExponent), 0x1p-126))
		}
		g.W = g.W.WithData(scaled)
		if !same(back, g) {
			t.Errorf("wrote\n%s\nread\n%s", show(g), show(back))
		}
	})
}

// FuzzRules: text in blocks of any size is read as by oneByOne, line by line.
func FuzzRules(f *testing.F) {
	for _, text := range []string{
		"a\tb\nb\tc\t0.5\n", "1 2\n2 3 1e2\n", "1 2 2\n2 3 1e", "user1,user2\r\nuser2,n°3\r\n", "x\ty\n#a\tb\n%c\td\n\n", "1\t4294967296\n00\t-7\n-\ta\n", "p q\nr  s 1\n t u", "a\tb\tc\n", "a\t\t1\n",
		"\"a, b\",\"c\",2\n\"d\",e\nf,\"\"\"g\"\n", "a,b\nb,c\n", ",src,dst\n0,a,b\n", "a;b;1\n",
	} {
		f.Add([]byte(text), uint8(0), uint8(0))
		f.Add([]byte(text), uint8(0), uint8(8))
		f.Add([]byte(text), uint8(5), uint8(0xff))
	}
	f.Add([]byte("\x1f\x1e"), uint8(0), uint8(0)) // pack (.z), which is refused
	usual := blockSize
	f.Cleanup(func() { blockSize = usual })
	f.Fuzz(func(t *testing.T, text []byte, size, bits uint8) {
		if stream.Compressed(text) {
			return // compressed, of a form that is read or refused as a whole
		}
		if bytes.HasPrefix(lines.TrimMark(text), []byte("%")) || bytes.Contains(text, []byte("# GMT ")) || bytes.ContainsAny(bytes.ToLower(text), "wst") {
			return // may open as KONECT, lists of neighbours, or with plain titles
		}
		opt := Options{Directed: bits&1 != 0, Duplicates: csr.Duplicates(bits >> 1 & 3 % 3), Header: HeaderNo, Threads: 1 + int(bits>>4&3)}
		if bits&8 != 0 {
			opt.Header = HeaderYes
		}
		blockSize = 1 + int(size)
		want, wantStats, wantErr := oneByOne(string(text), opt)
		got, stats, err := inBlocks(bytes.NewReader(text), opt)
		if (err == nil) != (wantErr == nil) || err != nil && !sameFault(err, wantErr) {
			t.Fatalf("%v, expected %v\n%q", err, wantErr, text)
		}
		if err == nil && (stats != wantStats || !bytes.Equal(got, want)) {
			t.Fatalf("%+v, expected %+v, same bytes: %v\n%q", stats, wantStats, bytes.Equal(got, want), text)
		}
	})
}
