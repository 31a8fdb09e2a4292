package rows

import (
	"fmt"
	"runtime/debug"
)

// Fault says that memory could not be read: a file that is mapped was cut
// short by another process. A worker that meets one ends [Tasks] and [Do]
// with it as the error, and [Each] by a panic with it in the goroutine of the
// caller, where it can be recovered. (By default such a fault ends the
// program; only the goroutine that reads can turn it into a panic.)
type Fault struct{ Address uintptr }

func (f *Fault) Error() string {
	return fmt.Sprintf("a page of mapped memory, at %#x, cannot be read", f.Address)
}

// Catch calls f and returns its error, or the [*Fault] that the calling
// goroutine, or Each in it, meets in f. Other panics go on.
func Catch(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Fault:
			err = r
		case interface{ Addr() uintptr }:
			err = &Fault{r.Addr()}
		default:
			panic(r)
		}
	}()
	return f()
}
