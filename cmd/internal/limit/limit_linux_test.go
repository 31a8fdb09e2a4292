package limit

import (
	"strings"
	"syscall"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/internal/machine"
)

// TestProcessMemory: limits of data and of addresses are limits of a run, the
// lesser one counts, and --memory-limit does not go past them.
func TestProcessMemory(t *testing.T) {
	limit := func(resource int, bytes uint64) {
		var old syscall.Rlimit
		must(t, syscall.Getrlimit(resource, &old))
		must(t, syscall.Setrlimit(resource, &syscall.Rlimit{Cur: min(bytes, old.Max), Max: old.Max}))
		t.Cleanup(func() { must(t, syscall.Setrlimit(resource, &old)) })
	}
	for _, test := range []struct {
		resource int
		bytes    uint64
		from     string
	}{{syscall.RLIMIT_AS, 1 << 44, "ulimit -v"}, {syscall.RLIMIT_DATA, 1 << 42, "ulimit -d"}} {
		limit(test.resource, test.bytes)
		got, from := machine.ProcessMemory()
		if got > int64(test.bytes)/4*3 || got < int64(test.bytes)/2 || !strings.Contains(from, test.from) {
			t.Errorf("%s of %d bytes: %d (%s)", test.from, test.bytes, got, from)
		}
		if l, err := Parse("100TiB"); err != nil || l.Bytes > int64(test.bytes) || l.From != from {
			t.Errorf("%s: --memory-limit 100TiB gives %+v, %v", test.from, l, err)
		}
	}
	if l, err := Parse("1GiB"); err != nil || l.Bytes != 1<<30 || l.From != "--memory-limit" {
		t.Errorf("--memory-limit 1GiB gives %+v, %v", l, err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
