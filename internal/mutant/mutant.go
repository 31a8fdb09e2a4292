// Package mutant damages files, for the tests of readers. It imports nothing of
// ours.
package mutant

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"
)

// How many mutants a test makes; ADPSPARSE_FULL=1 in the environment asks for
// all.
const few, all = 1000, 20000

// Check reads mutants of the files and checks that 99 % of the calls of read
// take less than 50 ms of processor time. What is right for a mutant is read's to know; it
// reports whether it was accepted.
func Check(t *testing.T, files [][]byte, read func(original, mutant []byte) (accepted bool)) {
	t.Helper()
	n := few
	if os.Getenv("ADPSPARSE_FULL") != "" {
		n = all
	}
	rng := rand.New(rand.NewPCG(6, 20000))
	times := make([]time.Duration, 0, n)
	accepted := 0
	for len(times) < n {
		original := files[len(times)%len(files)]
		damaged := Of(rng, original, files)
		if bytes.Equal(damaged, original) {
			continue
		}
		start := used()
		if read(original, damaged) {
			accepted++
		}
		times = append(times, used()-start)
	}
	slices.Sort(times)
	late := times[len(times)*99/100]
	t.Logf("%d mutants, %d of them accepted, 99 %% took at most %v, all at most %v", n, accepted, late, times[len(times)-1])
	if late > 50*time.Millisecond {
		t.Errorf("99 %% took at most %v, expected below 50ms", late)
	}
}

// Of returns a copy of file with one to four faults: bits, bytes, numbers,
// lengths and order, or a part of one of the others.
func Of(rng *rand.Rand, file []byte, others [][]byte) []byte {
	b := slices.Clone(file)
	for range 1 + rng.IntN(2)*rng.IntN(4) {
		if len(b) < 16 {
			return append(b, byte(rng.Uint32()))
		}
		at := rng.IntN(len(b) - 8)
		if rng.IntN(3) == 0 {
			at = rng.IntN(min(len(b)-8, 128)) // headers
		}
		length := 1 + rng.IntN(min(64, len(b)-at-1))
		switch rng.IntN(11) {
		case 0, 1:
			b[at] ^= 1 << rng.IntN(8)
		case 2:
			b[at] = byte(rng.Uint32())
		case 3:
			binary.LittleEndian.PutUint64(b[at:], extreme[rng.IntN(len(extreme))])
		case 4:
			binary.LittleEndian.PutUint32(b[at:], uint32(extreme[rng.IntN(len(extreme))]))
		case 5:
			b = b[:at]
		case 6:
			b = append(b, b[at:at+length]...)
		case 7:
			b = slices.Delete(b, at, at+length)
		case 8:
			b = slices.Insert(b, at, b[at:at+length]...)
		case 9:
			clear(b[at : at+length])
		case 10:
			other := others[rng.IntN(len(others))]
			copy(b[at:at+length], other[rng.IntN(len(other)):])
		}
	}
	return b
}

// extreme are numbers at the limits of integers, and NaN and infinities.
var extreme = []uint64{
	0, 1, 2, 3, 7, 1 << 16, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 40, 1 << 60, 1<<63 - 1, 1 << 63, 1<<64 - 1,
	0x7fc000007fc00000, 0x7f8000007f800000, 0xbf800000bf800000, 0x00000001_00000001,
}
