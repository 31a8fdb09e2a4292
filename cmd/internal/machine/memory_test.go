package machine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMemory: the least of the machine and of the control groups above
// the process counts, in both versions; without files there is no limit.
func TestMemory(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
		want  int64
		from  string
	}{
		{"none", nil, 1<<63 - 1, "the known memory"},
		{"machine", map[string]string{"proc/meminfo": "MemTotal:       1000 kB\nMemFree: 10 kB\n"}, 1000 << 10, "machine"},
		{"version 2, of a parent", map[string]string{
			"proc/meminfo": "MemTotal: 1000 kB\n", "proc/self/cgroup": "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/memory.max": "5000\n",
		}, 5000, "control group"},
		{"version 1", map[string]string{
			"proc/meminfo": "MemTotal: 1000 kB\n", "proc/self/cgroup": "4:memory:/x\n1:cpu:/\n",
			"sys/fs/cgroup/memory/x/memory.limit_in_bytes": "7000\n",
		}, 7000, "control group"},
		{"a limit above the machine", map[string]string{
			"proc/meminfo": "MemTotal: 1 kB\n", "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "99999999\n",
		}, 1024, "machine"},
	} {
		root := t.TempDir()
		for name, text := range test.files {
			path := filepath.Join(root, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if test.files == nil && installed() > 0 { // asked in another way
			test.want, test.from = installed(), "machine"
		}
		if got, from := Memory(root); got != test.want || !strings.Contains(from, test.from) {
			t.Errorf("%s: %d (%s), expected %d (%s)", test.name, got, from, test.want, test.from)
		}
	}
}
