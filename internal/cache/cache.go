// Package cache says how large the last cache of the processor is.
package cache

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// usual is what a processor is taken to have that does not say it.
const usual = 32 << 20

// Last returns the bytes of the last cache of the first processor, as Linux says; elsewhere 32 MiB.
var Last = sync.OnceValue(func() int64 { return lastOf("/sys/devices/system/cpu/cpu0/cache") })

// lastOf reads the sizes in a folder of index0, index1, ….
func lastOf(folder string) int64 {
	files, _ := filepath.Glob(filepath.Join(folder, "index*", "size"))
	largest := int64(0)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		largest = max(largest, sizeOf(strings.TrimSpace(string(text))))
	}
	if largest == 0 {
		return usual
	}
	return largest
}

// sizeOf reads a size such as 32768K; 0 for what is none.
func sizeOf(text string) int64 {
	unit := int64(1)
	if number, ok := strings.CutSuffix(text, "K"); ok {
		text, unit = number, 1<<10
	} else if number, ok := strings.CutSuffix(text, "M"); ok {
		text, unit = number, 1<<20
	}
	size, err := strconv.ParseInt(text, 10, 32)
	if err != nil || size < 0 {
		return 0
	}
	return size * unit
}
