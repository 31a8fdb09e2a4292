package bench

import (
	"errors"
	"os"
	"testing"
)

// TestNoGroup: where no control group limits memory none is left behind.
func TestNoGroup(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(root+"/memory", 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := newGroup(root); !errors.Is(err, errNoGroup) {
		t.Error(err)
	}
	for _, dir := range []string{root, root + "/memory"} {
		left, err := os.ReadDir(dir)
		for _, entry := range left {
			if entry.Name() != "memory" {
				t.Errorf("left: %s", entry.Name())
			}
		}
		if err != nil {
			t.Error(err)
		}
	}
}
