package dist_test

import (
	"fmt"
	"testing"

	"github.com/adp-sparse/adp-sparse/diffuse/dist"
	"github.com/adp-sparse/adp-sparse/diffuse/dist/disttest"
)

// TestLocal runs the battery on 1 to 4 ranks, with two threads in the case of
// three, which is all that short tests run.
func TestLocal(t *testing.T) {
	disttest.Run(t, func(t *testing.T, body func(c dist.Comm, threads int) error) {
		for size := 1; size <= 4; size++ {
			if testing.Short() && size != 3 {
				continue
			}
			t.Run(fmt.Sprintf("%d ranks", size), func(t *testing.T) {
				threads := 1
				if size == 3 {
					threads = 2
				}
				if err := dist.Local(size, func(c dist.Comm) error { return body(c, threads) }); err != nil {
					t.Fatal(err)
				}
			})
		}
	})
}
