package machine

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"syscall"
)

// ProcessMemory returns the resident memory that this process may come to by
// the limits of its data and its addresses (ulimit -d and -v), and which of them
// says so. An allocation past them ends the program.
//
// Memory that the heap has given back still counts as addresses and data: a
// heap of pieces of many sizes has a third more of these than it ever has of
// memory. Threads have stacks.
func ProcessMemory() (left int64, from string) {
	left, from = math.MaxInt64, "the known limits of the process"
	var pages, resident, shared, text, lib, data int64
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return left, from
	}
	if _, err := fmt.Fscan(bytes.NewReader(statm), &pages, &resident, &shared, &text, &lib, &data); err != nil {
		return left, from
	}
	const stacks = 64 << 20
	page := int64(os.Getpagesize())
	for _, limit := range []struct {
		resource int
		used     int64
		from     string
	}{
		{syscall.RLIMIT_DATA, data * page, "the limit of data, ulimit -d"},
		{syscall.RLIMIT_AS, pages * page, "the limit of addresses, ulimit -v"},
	} {
		var has syscall.Rlimit
		if syscall.Getrlimit(limit.resource, &has) != nil || has.Cur > math.MaxInt64 {
			continue
		}
		room := (int64(has.Cur) - limit.used - stacks) / 4 * 3
		if bytes := max(room+resident*page, 1); bytes < left {
			left, from = bytes, limit.from
		}
	}
	return left, from
}
