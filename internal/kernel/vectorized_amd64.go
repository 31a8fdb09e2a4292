//go:build amd64 && !purego

package kernel

import "golang.org/x/sys/cpu"

//go:generate sh -c "cd gen && go run . -out ../kernel_amd64.s -stubs ../stubs_amd64.go -pkg kernel"

// vectorized returns the versions that this processor can run, best first.
func vectorized() []implementation {
	var can []implementation
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW {
		k := implementation{
			name: "avx512", dots: wrapDots(dotsAVX512), differences: wrapDots(differencesAVX512), below: wrapBelow(belowAVX512),
			columns: 64, vectors: true, masked: true,
		}
		if cpu.X86.HasAVX512VNNI {
			k.dotsBytes = func(dst []int32, stride int, a, b []byte, n int, add bool) {
				dotsBytesAVX512(&dst[0], stride, &a[0], &b[0], n, add)
			}
			k.belowWhole = func(mask []uint32, p, low, tau []int32, rowLow, rowTau int32) {
				belowWholeAVX512(&mask[0], &p[0], &low[0], &tau[0], len(mask), rowLow, rowTau)
			}
		}
		can = append(can, k)
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		can = append(can, implementation{
			name: "avx2", dots: wrapDots(dotsAVX2), differences: wrapDots(differencesAVX2), below: wrapBelow(belowAVX2),
			columns: 32, vectors: true,
		})
	}
	return can
}

func wrapDots(f func(dst *float32, stride int, a, b *float32, n int, add bool)) func([]float32, int, []float32, []float32, int, bool) {
	return func(dst []float32, stride int, a, b []float32, n int, add bool) {
		f(&dst[0], stride, &a[0], &b[0], n, add)
	}
}

func wrapBelow(f func(mask *uint32, p, low, tau *float32, panels int, rowLow, rowTau, w float32)) func([]uint32, []float32, []float32, []float32, float32, float32, float32) {
	return func(mask []uint32, p, low, tau []float32, rowLow, rowTau, w float32) {
		f(&mask[0], &p[0], &low[0], &tau[0], len(mask), rowLow, rowTau, w)
	}
}
