package main

import (
	"fmt"
	"math"
	"os"
	slash "path"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp"
)

// memoryError says that a run would not fit.
type memoryError struct{ message string }

func (e memoryError) Error() string { return e.message }

// memoryLimit is what a run may use, and who says so.
type memoryLimit struct {
	bytes   int64
	from    string
	machine bool // it is for all processes of the machine together
}

// bindLimit binds --memory-limit; more is a clause about it.
func bindLimit(cmd *cobra.Command, to *string, more string) {
	cmd.Flags().StringVar(to, "memory-limit", "", "refuse what is estimated to need more, such as 8GiB"+more+" (default: nine tenths of the memory of the control group or machine)")
}

// parseLimit reads --memory-limit; without it the limit is nine tenths of what
// the control group or the machine has. What the process may not exceed
// (ulimit) is a limit in any case.
func parseLimit(text string) (l memoryLimit, err error) {
	if text != "" {
		bytes, err := parseSize(text)
		if err != nil || bytes < runtimeBytes {
			return memoryLimit{}, usagef("--memory-limit %q, expected a size such as 8GiB, at least %s", text, size(runtimeBytes))
		}
		l = memoryLimit{bytes: bytes, from: "--memory-limit"}
	} else {
		has, from := availableMemory("/")
		l = memoryLimit{has / 10 * 9, "nine tenths of " + from + "; --memory-limit sets another", true}
	}
	if left, from := processMemory(); left < l.bytes {
		l = memoryLimit{bytes: left, from: from}
	}
	return l, nil
}

// availableMemory returns the memory of the machine or, where that is less, of
// the control group, from the files that Linux has under root, or from calls of
// macOS and Windows. Where there are none, nothing is known and the limit is none.
func availableMemory(root string) (bytes int64, from string) {
	bytes, from = math.MaxInt64, "what is known of the memory"
	if v := machineMemory(); v > 0 {
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

// runtimeBytes is what the program holds before it has data, its own pages included.
const runtimeBytes = 23 << 20

// programBytes are the pages of the program's own file that are resident in any case.
const programBytes = 16 << 20

// data is what is left for data; 0 for no limit.
func (l memoryLimit) data() int64 {
	if l.bytes == 0 {
		return 0
	}
	return max((l.bytes-runtimeBytes)/13*12, 1)
}

// collect lets the collector of garbage work as hard as it takes to stay below
// a number of bytes, which is no more than the limit. It does not count the pages of
// the program's own file.
func (l memoryLimit) collect(bytes int64) {
	if l.bytes > 0 {
		debug.SetMemoryLimit(min(bytes, l.bytes) - programBytes)
	}
}

// allows refuses what needs more than the limit.
func (l memoryLimit) allows(what string, bytes int64) error {
	return l.allowsInAll(what, withRuntime(bytes))
}

// allowsInAll is allows for what the program takes in all.
func (l memoryLimit) allowsInAll(what string, bytes int64) error {
	if l.bytes == 0 || bytes <= l.bytes {
		return nil
	}
	return memoryError{fmt.Sprintf("%s needs about %s, the limit is %s (%s)", what, size(bytes), size(l.bytes), l.from)}
}

// admits refuses what needs more than the limit, and lets the collector keep to it.
func (l memoryLimit) admits(what string, bytes int64) error {
	if err := l.allows(what, bytes); err != nil {
		return err
	}
	l.collect(withRuntime(bytes))
	return nil
}

// holds refuses a graph file that is read into memory, and not mapped, where
// its entries alone are past the limit.
func (l memoryLimit) holds(name string) error {
	if filepath.Ext(name) == ".csr" || name == "-" {
		return nil
	}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil // reading says what is wrong
	}
	return l.allows("reading "+name, 2*info.Size())
}

// tooMuch says what can be done about a file that does not fit.
func (l memoryLimit) tooMuch(err error) error {
	return memoryError{fmt.Sprintf("%v; the limit is %s (%s); what needs less: convert --edges FILE --out FILE.csr --memory-limit SIZE, then --graph FILE.csr", err, size(l.bytes), l.from)}
}

// work is what a run does, as far as its memory depends on it.
type work struct {
	opt                 adp.Options
	calibrate, diagnose bool
	beside              int64 // what is neither graph nor classes
}

// bytes estimates the memory of the work on a graph that has been read; a
// mapped W stays in its file.
func (k work) bytes(graph *graph, classes int) int64 {
	bytes := adp.EstimateBytes(graph.W, classes, k.opt)
	if k.calibrate {
		fold := k.opt
		fold.TrialFolds = -1
		bytes = max(bytes, adp.ResultBytes(graph.W, classes, k.opt)+adp.EstimateBytes(graph.W, classes, fold))
	}
	if k.diagnose {
		bytes = max(bytes, adp.DiagnoseBytes(graph.W, classes, k.opt, diagnoseVectors))
	}
	bytes += k.beside
	return withRuntime(bytes - graph.W.Bytes() + graph.held())
}

// withRuntime adds to the bytes of data what the program takes without data,
// and a twelfth for data of no more use that is not collected yet.
func withRuntime(bytes int64) int64 { return runtimeBytes + bytes + bytes/12 }

// peak estimates the memory of the work and of reading before it.
func (k work) peak(graph *graph, classes int) int64 {
	return max(withRuntime(graph.peak), k.bytes(graph, classes))
}

// isMapped reports whether W lies in its file.
func (g *graph) isMapped() bool { return g.file != nil && g.file.Matrix() == g.W }

// held is the memory of a graph that has been read: none where it lies in its file.
func (g *graph) held() int64 {
	if g.isMapped() {
		return 0
	}
	return g.W.Bytes() + g.IDs.Bytes()
}

// mappedBytes is the part of a mapped file that a run reads: it is resident
// where there is room, and needs none.
func (g *graph) mappedBytes() int64 {
	if g.file == nil {
		return 0
	}
	return g.file.Matrix().Bytes() + g.file.IDs().Bytes()
}

// fits returns the work as it fits the limit: with fewer class columns at a time
// where all together do not. What does not fit so either is refused, with what
// would.
func (l memoryLimit) fits(k work, graph *graph, classes int) (work, error) {
	need := k.bytes(graph, classes)
	for columns := classes / 2; need > l.bytes && columns > 0; columns /= 2 {
		k.opt.ClassColumns = columns
		need = k.bytes(graph, classes)
	}
	if need <= l.bytes {
		l.collect(k.peak(graph, classes))
		return k, nil
	}
	var ways []string
	try := func(way string, bytes int64) {
		if bytes <= l.bytes && bytes < need {
			ways = append(ways, fmt.Sprintf("%s (%s)", way, size(bytes)))
		}
	}
	mapped := graph.held()
	if mapped > 0 {
		try("--graph FILE.csr, which convert makes", need-mapped)
	}
	with := func(change func(*work)) work {
		other := k
		change(&other)
		return other
	}
	for _, other := range []struct {
		way string
		work
	}{
		{"without --calibrate and --diagnose", with(func(k *work) { k.calibrate, k.diagnose = false, false })},
		{"--select fast", with(func(k *work) { k.opt.Select = adp.Fast })},
		{"--select none", with(func(k *work) { k.opt.Select = adp.None })},
		{"--method lgc", work{opt: adp.Options{Method: adp.LGC, ClassColumns: 1}, beside: k.beside}},
		{"--scratch FOLDER, on a disk", with(func(k *work) { k.opt.Scratch = "." })},
		{"--scratch FOLDER --reorder none", with(func(k *work) { k.opt.Scratch, k.opt.Order = ".", adp.GivenOrder })},
		{"--scratch FOLDER --reorder none --select none", with(func(k *work) { k.opt.Scratch, k.opt.Order, k.opt.Select = ".", adp.GivenOrder, adp.None })},
	} {
		if other.opt.Scratch != k.opt.Scratch && !k.opt.Method.Has(adp.KeepsSparse) {
			continue
		}
		bytes := other.bytes(graph, classes)
		if try(other.way, bytes); bytes > l.bytes && mapped > 0 {
			try(other.way+" with --graph FILE.csr", bytes-mapped)
		}
	}
	help := "nothing that is known makes it fit"
	if len(ways) > 0 {
		help = "what fits: " + strings.Join(ways, "; ")
	}
	return k, memoryError{fmt.Sprintf("the run needs about %s, the limit is %s (%s); %s", size(need), size(l.bytes), l.from, help)}
}
