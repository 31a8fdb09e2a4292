//go:build unix

package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/internal/figures"
)

// TestPeakOfChild: the peak is that of the program, not of the one that
// started it.
func TestPeakOfChild(t *testing.T) {
	const most = 100 << 20
	held := make([]byte, 2*most)
	for k := 0; k < len(held); k += 4096 {
		held[k] = 1
	}
	dir := files(t, "g.tsv", "a b\n", "l.tsv", "a x\nb y\n")
	facts := filepath.Join(dir, "r.json")
	cmd := exec.Command(built(t), "run", "--edges", "g.tsv", "--labels", "l.tsv", "--method", "lgc", "--out", "o.tsv", "--report", facts)
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	runtime.KeepAlive(held)
	var r report.Run
	must(t, json.Unmarshal([]byte(read(t, facts)), &r))
	if runtime.GOOS == "linux" && r.PeakBytes > most {
		t.Errorf("the peak of a run on two nodes is %s", figures.Bytes(r.PeakBytes))
	}
}
