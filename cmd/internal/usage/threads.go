package usage

import (
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// CheckThreads refuses more threads than the loops take.
func CheckThreads(threads int) error {
	if threads < 0 || threads > rows.MaxWorkers {
		return Errorf("--threads %d, expected 0 to %d", threads, rows.MaxWorkers)
	}
	return nil
}
