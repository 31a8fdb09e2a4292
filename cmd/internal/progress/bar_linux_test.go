package progress

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal opens a pseudo-terminal: what is written to one can be read from the other.
func terminal(t *testing.T) (to, from *os.File) {
	t.Helper()
	from, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { from.Close() })
	must(t, unix.IoctlSetPointerInt(int(from.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(from.Fd()), unix.TIOCGPTN)
	must(t, err)
	to, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0)
	must(t, err)
	t.Cleanup(func() { to.Close() })
	return to, from
}

// TestBarsGiveSigns: a bar shows itself while nothing of the work is done, also where
// nothing tells how much there is, and the time that goes by.
func TestBarsGiveSigns(t *testing.T) {
	for what, total := range map[string]int64{"a known total": 100, "no known total": Unknown} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			to, from := terminal(t)
			text := make(chan string)
			go func() {
				var all strings.Builder
				for b := make([]byte, 1<<12); !strings.Contains(all.String(), "end of the work"); {
					n, err := from.Read(b)
					if all.Write(b[:n]); err != nil {
						break
					}
				}
				text <- all.String()
			}()
			shown := New(to, "waiting", total, false)
			time.Sleep(sign + sign/2)
			shown.End()
			fmt.Fprintln(to, "end of the work")
			if got := <-text; !regexp.MustCompile(`waiting.*\[[1-9]s`).MatchString(got) {
				t.Errorf("%q", got)
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
