package figures

import "testing"

// TestBytes: three digits, and no power of ten below the next unit.
func TestBytes(t *testing.T) {
	for bytes, want := range map[int64]string{
		0: "0 B", 999: "999 B", 1000: "1000 B", 1023: "1023 B", 1024: "1 KiB", 1536: "1.5 KiB", 1034 << 20: "1.01 GiB",
		1015 << 20: "1015 MiB", 1023<<20 + 1<<19: "1024 MiB", 128 << 30: "128 GiB", 3 << 50: "3072 TiB",
	} {
		if got := Bytes(bytes); got != want {
			t.Errorf("%d bytes: %q, expected %q", bytes, got, want)
		}
	}
}
