package parquet

import (
	"os"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/panics"
)

// TestPanicOfRow: what the caller's function does wrong is not taken for damage of the
// file.
func TestPanicOfRow(t *testing.T) {
	f, err := os.Open("../../csr/edgeparquet/testdata/names.parquet")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	table, err := Open(f, "names.parquet", info.Size())
	if err != nil {
		t.Fatal(err)
	}
	said := panics.Of(func() {
		err = table.Read([]string{"src"}, func(_ int, values []Value) error {
			_ = values[len(values)]
			return nil
		})
	})
	if err != nil || !strings.Contains(said, "index out of range") {
		t.Errorf("error %v, panic %q", err, said)
	}
}
