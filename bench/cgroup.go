package bench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// cgroup is a control group of Linux that limits memory.
type cgroup struct{ dir, limit string }

// errNoGroup is wrapped where no control group can be made.
var errNoGroup = errors.New("no control group with a limit of memory can be made here")

// newGroup makes a control group, in version 1 or 2, below the root. It needs the
// rights of root.
func newGroup(root string) (*cgroup, error) {
	var faults []error
	for _, g := range []cgroup{{root + "/memory", "memory.limit_in_bytes"}, {root, "memory.max"}} {
		g.dir = filepath.Join(g.dir, fmt.Sprintf("adp-sparse-bench-%d", os.Getpid()))
		if err := os.Mkdir(g.dir, 0o755); err != nil {
			faults = append(faults, err)
			continue
		}
		if _, err := os.Stat(filepath.Join(g.dir, g.limit)); err == nil {
			return &g, nil
		} else {
			faults = append(faults, err, os.Remove(g.dir))
		}
	}
	return nil, fmt.Errorf("%w: %w", errNoGroup, errors.Join(faults...))
}

// set limits the memory, that of the swap space too where there is one.
func (g *cgroup) set(bytes int64) error {
	swap := map[string]string{"memory.max": "memory.swap.max", "memory.limit_in_bytes": "memory.memsw.limit_in_bytes"}[g.limit]
	text := []byte(fmt.Sprint(bytes))
	// Of memory, and memory with swap, the second must never be less.
	_ = os.WriteFile(filepath.Join(g.dir, swap), []byte("-1"), 0o644)
	if err := os.WriteFile(filepath.Join(g.dir, g.limit), text, 0o644); err != nil {
		return err
	}
	if strings.HasPrefix(swap, "memory.swap") {
		text = []byte("0")
	}
	if err := os.WriteFile(filepath.Join(g.dir, swap), text, 0o644); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// shell starts a command in the group: "$0" "$@".
func (g *cgroup) shell() string {
	return fmt.Sprintf(`echo $$ >'%s/cgroup.procs' && exec "$0" "$@"`, g.dir)
}

// remove removes the group, which nothing runs in any more.
func (g *cgroup) remove() error { return os.Remove(g.dir) }
