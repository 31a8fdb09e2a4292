package store

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/mutant"
)

// originals are the files that are damaged.
func originals(t *testing.T) [][]byte {
	t.Helper()
	var all [][]byte
	for _, name := range []string{"testdata/v1.csr", "testdata/v1_names.csr"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	e := &csr.Edges{}
	for range 900 {
		e.Src = append(e.Src, uint32(rng.IntN(300)))
		e.Dst = append(e.Dst, uint32(rng.IntN(300)))
		e.Weight = append(e.Weight, 1+rng.Float32())
	}
	m, _, err := csr.FromEdges(300, e, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return append(all, b.Bytes())
}

// TestMutants: every byte of a file is covered by a checksum or must be 0, so
// no changed file is accepted, read or mapped.
func TestMutants(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csr")
	calls := 0
	mutant.Check(t, originals(t), func(_, damaged []byte) bool {
		size := int64(len(damaged))
		if calls++; calls%2 == 0 {
			size = -1
		}
		_, _, err := Read(bytes.NewReader(damaged), "x.csr", size)
		if err == nil {
			t.Errorf("mutant %d was accepted: %q", calls, damaged)
		}
		if calls%4 != 0 {
			return err == nil
		}
		if err := os.WriteFile(path, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path)
		if err == nil {
			t.Errorf("mutant %d was mapped: %q", calls, damaged)
			f.Close()
		}
		return err == nil
	})
}

// TestSealedMutants: checksums that are made again after the damage leave the
// rest to the checks of the structure.
func TestSealedMutants(t *testing.T) {
	accepted := 0
	mutant.Check(t, originals(t), func(_, damaged []byte) bool {
		reseal(damaged)
		ok := checkAccepted(t, damaged)
		if ok {
			accepted++
		}
		return ok
	})
	if accepted == 0 {
		t.Error("no mutant was accepted, expected changed values to be")
	}
}
