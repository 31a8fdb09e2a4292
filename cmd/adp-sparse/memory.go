package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp"
)

// memoryError says that a run would not fit.
type memoryError struct{ message string }

func (e memoryError) Error() string { return e.message }

// memoryLimit is what a run may use, and who says so.
type memoryLimit struct {
	bytes int64
	from  string
}

// parseLimit reads --memory-limit; without it the limit is nine tenths of what
// the control group or the machine has.
func parseLimit(text string) (memoryLimit, error) {
	if text != "" {
		bytes, err := parseSize(text)
		if err != nil || bytes < runtimeBytes {
			return memoryLimit{}, usagef("--memory-limit %q, expected a size such as 8GiB, at least %s", text, size(runtimeBytes))
		}
		return memoryLimit{bytes, "--memory-limit"}, nil
	}
	has, from := availableMemory("/")
	return memoryLimit{has / 10 * 9, "nine tenths of " + from + "; --memory-limit sets another"}, nil
}

// availableMemory returns the memory of the machine or, where that is less, of
// the control group, from the files that Linux has under root. Where there are
// none, nothing is known and the limit is none.
func availableMemory(root string) (bytes int64, from string) {
	bytes, from = math.MaxInt64, "what is known of the memory"
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
		for dir := filepath.Clean("/" + f[2]); ; dir = filepath.Dir(dir) {
			names = append(names, filepath.Join(base, dir, file))
			if dir == "/" {
				break
			}
		}
	}
	return names
}

// runBytes is the estimate of a run's memory; a mapped W stays in its file.
func runBytes(graph *graph, classes int, opt adp.Options) int64 {
	bytes := runtimeBytes + adp.EstimateBytes(graph.IDs.Len(), graph.W.NNZ(), classes, opt)
	if graph.file != nil {
		bytes -= graph.W.Bytes()
	}
	return bytes
}

// fits refuses a run that needs more than the limit, and says what would make
// it fit. Of what is allowed, it lets the collector of garbage know.
func (l memoryLimit) fits(need int64, graph *graph, classes int, opt adp.Options) error {
	if need <= l.bytes {
		debug.SetMemoryLimit(l.bytes)
		return nil
	}
	var ways []string
	try := func(way string, bytes int64) {
		if bytes <= l.bytes && bytes < need {
			ways = append(ways, fmt.Sprintf("%s (%s)", way, size(bytes)))
		}
	}
	mapped := int64(0)
	if graph.file == nil {
		mapped = graph.W.Bytes()
		try("--graph FILE.csr, which convert makes", need-mapped)
	}
	for _, other := range []struct {
		way string
		opt adp.Options
	}{
		{"--select fast", func(o adp.Options) adp.Options { o.Select = adp.Fast; return o }(opt)},
		{"--select none", func(o adp.Options) adp.Options { o.Select = adp.None; return o }(opt)},
		{"--method lgc", adp.Options{Method: adp.LGC}},
	} {
		bytes := runBytes(graph, classes, other.opt)
		if try(other.way, bytes); bytes > l.bytes && mapped > 0 {
			try(other.way+" with --graph FILE.csr", bytes-mapped)
		}
	}
	help := "nothing that is known makes it fit"
	if len(ways) > 0 {
		help = "what fits: " + strings.Join(ways, "; ")
	}
	return memoryError{fmt.Sprintf("the run needs about %s, the limit is %s (%s); %s", size(need), size(l.bytes), l.from, help)}
}
