package rows

import (
	"errors"
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

// Panic is any other panic, with the stack where it was. That of a worker goes on in the
// goroutine of the caller of [Tasks], where it can be recovered: numbers of a mapped file
// that another process changes make loops panic that are right.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }

// Unwrap returns the error that the panic was with, if it was one.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Catch calls f and returns its error, or the [*Fault] or [*Panic] that the calling
// goroutine, or Tasks in it, meets in f. Who cannot tell what a Panic comes of goes on
// with it: see [Rethrow].
func Catch(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Fault:
			err = r
		case *Panic: // of a worker: its stack is the one that tells
			err = r
		case interface{ Addr() uintptr }:
			err = &Fault{r.Addr()}
		default:
			err = &Panic{r, debug.Stack()}
		}
	}()
	return f()
}

// Rethrow panics with the [*Panic] that err is or wraps, if it does.
func Rethrow(err error) {
	var p *Panic
	if errors.As(err, &p) {
		panic(p)
	}
}
