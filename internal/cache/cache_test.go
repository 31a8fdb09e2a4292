package cache

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLast: the largest of the sizes counts; what is no size does not, and without any there is a usual one.
func TestLast(t *testing.T) {
	dir := t.TempDir()
	if got := lastOf(dir); got != usual {
		t.Errorf("nothing known: %d", got)
	}
	for index, text := range map[string]string{"index0": "48K\n", "index1": "1024K\n", "index2": "260M\n", "index3": "many", "index4": "-5K", "index5": ""} {
		if err := os.MkdirAll(filepath.Join(dir, index), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, index, "size"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := lastOf(dir); got != 260<<20 {
		t.Errorf("last cache of %d bytes, expected 260 MiB", got)
	}
	if got := Last(); got < 1<<10 {
		t.Errorf("here: %d bytes", got)
	}
}
