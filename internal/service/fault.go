package service

import (
	"errors"
	"fmt"
	"log"
	"net/http"
	"path"
	"runtime"
	"strings"
	"unicode"

	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// whole answers with a fault where next panics, and tells the log in a line: net/http
// would leave the asker without an answer and write a trace. An answer that has begun
// cannot become another one, and the connection ends.
func (s *Server) whole(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, mostBody) // here, as it asks net/http's own writer to close
		to := &begun{ResponseWriter: w}
		defer func() {
			fault := recover()
			if fault == nil {
				return
			}
			if fault != http.ErrAbortHandler {
				s.opt.Log(errors.New(line(fmt.Sprintf("panic at %s: %v; asked for %s", place(), fault, lines.Quote([]byte(r.URL.Path))))))
			}
			if to.yes || fault == http.ErrAbortHandler {
				panic(http.ErrAbortHandler) // of which net/http says nothing
			}
			writeFault(to, errPanic)
		}()
		next.ServeHTTP(to, r)
	})
}

var errPanic = faultf(http.StatusInternalServerError, "internal error")

// begun knows whether an answer has begun.
type begun struct {
	http.ResponseWriter
	yes bool
}

func (b *begun) WriteHeader(code int) {
	b.yes = true
	b.ResponseWriter.WriteHeader(code)
}

// Unwrap lets [http.ResponseController] find the connection.
func (b *begun) Unwrap() http.ResponseWriter { return b.ResponseWriter }

func (b *begun) Write(text []byte) (int, error) {
	b.yes = true
	return b.ResponseWriter.Write(text)
}

// place names the line of code where the panic began that is being recovered from. Panics
// that were passed on have been started more than once: the first is deepest.
func place() string {
	calls := make([]uintptr, 100)
	frames := runtime.CallersFrames(calls[:runtime.Callers(0, calls)])
	where, search := "a place unknown", false
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			search = true
		case search && !strings.HasPrefix(f.Function, "runtime."):
			where, search = fmt.Sprintf("%s:%d", path.Base(f.File), f.Line), false
		}
	}
	return where
}

// ErrorLog returns what [http.Server.ErrorLog] should be: each entry of net/http, which
// may quote what strangers sent, is one line for [Options.Log].
func (s *Server) ErrorLog() *log.Logger { return log.New(entries(s.opt.Log), "", 0) }

type entries func(error)

func (tell entries) Write(text []byte) (int, error) {
	tell(errors.New(line(string(text))))
	return len(text), nil
}

// line is the first line of a text, of bounded length and without what a terminal would
// act on and not show.
func line(text string) string {
	const most = 300
	text, _, _ = strings.Cut(text, "\n")
	rest := ""
	if len(text) > most {
		text, rest = text[:most], "…"
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text) + rest
}
