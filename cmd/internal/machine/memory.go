// Package machine tells what memory the machine, the control group and the process have.
package machine

import (
	"math"
	"os"
	slash "path"
	"path/filepath"
	"strconv"
	"strings"
)

// Memory returns the memory of the machine or, where that is less, of
// the control group, from the files that Linux has under root, or from calls of
// macOS and Windows. Where there are none, nothing is known and the limit is none.
func Memory(root string) (bytes int64, from string) {
	bytes, from = math.MaxInt64, "the known memory"
	if v := installed(); v > 0 {
		bytes, from = v, "the machine's memory"
	}
	if text, err := os.ReadFile(filepath.Join(root, "proc/meminfo")); err == nil {
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" {
				if v, err := strconv.ParseInt(f[1], 10, 64); err == nil && v < math.MaxInt64>>10 {
					bytes, from = v<<10, "the machine's memory"
				}
			}
		}
	}
	for _, name := range cgroupFiles(root) {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		if v, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && v > 0 && v < bytes {
			bytes, from = v, "the control group's memory"
		}
	}
	return bytes, from
}

// cgroupFiles are the files that may hold the limit of this process's control
// group or of one above it, in both versions.
func cgroupFiles(root string) (names []string) {
	text, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) != 3 || f[1] != "" && f[1] != "memory" {
			continue
		}
		base, file := filepath.Join(root, "sys/fs/cgroup"), "memory.max"
		if f[1] == "memory" {
			base, file = filepath.Join(base, "memory"), "memory.limit_in_bytes"
		}
		for dir := slash.Clean("/" + f[2]); ; dir = slash.Dir(dir) {
			names = append(names, filepath.Join(base, dir, file))
			if dir == "/" {
				break
			}
		}
	}
	return names
}
