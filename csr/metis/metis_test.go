package metis_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/metis"
)

func read(t *testing.T, text string) *csr.Matrix {
	t.Helper()
	m, _, err := metis.Read(strings.NewReader(text), "x.graph")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestRead reads the examples of the METIS manual (5.1.0, figure 2): one graph
// without weights, with weights of edges, of vertices, and of both with sizes.
func TestRead(t *testing.T) {
	plain := read(t, "7 11\n5 3 2\n1 3 4\n5 4 2 1\n2 3 6 7\n1 3 6\n5 4 7\n6 4\n")
	if n, _ := plain.Dims(); n != 7 || plain.NNZ() != 22 || plain.At(0, 4) != 1 || plain.At(6, 3) != 1 || plain.At(0, 6) != 0 {
		t.Fatalf("%d rows, %d entries", n, plain.NNZ())
	}
	const body = "5 1 3 2 2 1\n1 1 3 2 4 1\n5 3 4 2 2 2 1 2\n2 1 3 2 6 2 7 5\n1 1 3 3 6 2\n5 2 4 2 7 6\n6 6 4 5\n"
	weighted := read(t, "% c\n7 11 001\n"+body)
	if weighted.At(0, 2) != 2 || weighted.At(3, 6) != 5 || weighted.At(5, 6) != 6 || !slices.Equal(columns(weighted), columns(plain)) {
		t.Error("weights of edges are not as in the file")
	}
	sized := ""
	for _, line := range strings.Split(strings.TrimSpace(body), "\n") {
		sized += "3 1 2 " + line + "\n% between lines\n"
	}
	if m := read(t, "\n 7\t11 111 2 \r\n"+sized); !equal(m, weighted) {
		t.Error("sizes and weights of vertices changed the edges")
	}
	if m := read(t, "7 11 1\n"+strings.ReplaceAll(body, "\n", "\r\n")+"\n \n"); !equal(m, weighted) {
		t.Error("format 1 is not 001, or blank lines at the end are not nothing")
	}
	if n, _ := read(t, "3 1 10\n1 2\n1 1\n0\n").Dims(); n != 3 {
		t.Error("a weight of a vertex without edges")
	}
	if m := read(t, "4 1\n\n4\n\n2\n"); m.At(1, 3) != 1 || m.NNZ() != 2 {
		t.Error("empty lines are vertices without edges")
	}
	if m := read(t, "0 0\n"); m.NNZ() != 0 {
		t.Error("no vertices")
	}
}

func columns(m *csr.Matrix) []uint32 {
	_, indices, _ := m.Arrays()
	return indices
}

func equal(a, b *csr.Matrix) bool {
	an, _ := a.Dims()
	bn, _ := b.Dims()
	ap, ai, ad := a.Arrays()
	bp, bi, bd := b.Arrays()
	return an == bn && slices.Equal(ap, bp) && slices.Equal(ai, bi) && slices.Equal(ad, bd)
}

// TestWrite compares with text that follows from the format by hand.
func TestWrite(t *testing.T) {
	for text, want := range map[string]string{
		"% c\n3 2 0\n3 2\n1\n1\n":                       "3 2\n2 3\n1\n1\n",
		"4 2 1\n2 7\n1 7\n\n":                           "",
		"4 2 1\n2 7\n1 7 4 1.6777216e7\n\n2 16777216\n": "4 2 001\n2 7\n1 7 4 16777216\n\n2 16777216\n",
	} {
		m, _, err := metis.Read(strings.NewReader(text), "x")
		if want == "" {
			if err == nil {
				t.Errorf("%q was read", text)
			}
			continue
		}
		var b bytes.Buffer
		if err != nil || metis.Write(&b, m) != nil || b.String() != want {
			t.Errorf("%v; wrote %q, expected %q", err, b.String(), want)
		}
	}
	for _, v := range []float32{0.5, 0, -1, 1 << 25} {
		m, err := csr.New(2, 2, []int64{0, 1, 2}, []uint32{1, 0}, []float32{v, v})
		if err == nil {
			err = metis.Write(&bytes.Buffer{}, m)
		}
		if !errors.Is(err, metis.ErrWeight) {
			t.Errorf("weight %v: %v", v, err)
		}
	}
	loop, _ := csr.New(1, 1, []int64{0, 1}, []uint32{0}, []float32{1})
	if err := metis.Write(&bytes.Buffer{}, loop); !errors.Is(err, metis.ErrWeight) {
		t.Errorf("a loop: %v", err)
	}
	uneven, _ := csr.New(2, 2, []int64{0, 1, 1}, []uint32{1}, []float32{1})
	if err := metis.Write(&bytes.Buffer{}, uneven); !errors.Is(err, csr.ErrStructure) {
		t.Errorf("not symmetric: %v", err)
	}
}

// TestRoundTrip writes random graphs and reads them back; where METIS is
// installed, its own graphchk must find them sound.
func TestRoundTrip(t *testing.T) {
	checker, _ := exec.LookPath("graphchk")
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n := 1 + rng.IntN(50)
		e := &csr.Edges{}
		for range rng.IntN(3 * n) {
			e.Src, e.Dst = append(e.Src, uint32(rng.IntN(n))), append(e.Dst, uint32(rng.IntN(n)))
			e.Weight = append(e.Weight, float32(1+rng.IntN(1+int(seed)%4)))
		}
		m, _, err := csr.FromEdges(n, e, csr.BuildOptions{Duplicates: csr.DuplicatesMax})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := metis.Write(&b, m); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if !equal(read(t, text), m) {
			t.Fatalf("seed %d: another graph came back from\n%s", seed, text)
		}
		if checker == "" || seed >= 6 || m.NNZ() == 0 {
			continue
		}
		name := filepath.Join(t.TempDir(), "x.graph")
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(checker, name).CombinedOutput(); err != nil || !strings.Contains(string(out), "format of the graph is correct") {
			t.Errorf("seed %d: graphchk says %s (%v)", seed, out, err)
		}
	}
}

// FuzzMETIS asks that no text makes Read panic, and that what it accepts is
// symmetric and comes back from Write where its weights are whole.
func FuzzMETIS(f *testing.F) {
	f.Add("7 11\n5 3 2\n1 3 4\n5 4 2 1\n2 3 6 7\n1 3 6\n5 4 7\n6 4\n")
	f.Add("% c\n3 1 111 2\n1 1 1 2 5\n1 1 1 1 5\n1 1 1\n")
	f.Add("3 1 1\n2 0.5\n1 0.5\n\n\n")
	f.Add("4000000000 0\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, _, err := metis.Read(strings.NewReader(text), "f")
		if err != nil {
			return
		}
		if err := csr.CheckAffinity(m, 1); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := metis.Write(&b, m); err != nil {
			if !errors.Is(err, metis.ErrWeight) {
				t.Fatal(err)
			}
			return
		}
		if back, _, err := metis.Read(&b, "f"); err != nil || !equal(m, back) {
			t.Fatalf("%v after writing what came from %q", err, text)
		}
	})
}
