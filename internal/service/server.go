package service

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/adp-sparse/adp-sparse/diffuse"
)

//go:embed page
var page embed.FS

// files are served beside the answers, by address.
var files = map[string]struct{ name, kind string }{
	"/":             {"page/index.html", "text/html; charset=utf-8"},
	"/app.js":       {"page/app.js", "text/javascript; charset=utf-8"},
	"/base.js":      {"page/base.js", "text/javascript; charset=utf-8"},
	"/items.js":     {"page/items.js", "text/javascript; charset=utf-8"},
	"/evidence.js":  {"page/evidence.js", "text/javascript; charset=utf-8"},
	"/map.js":       {"page/map.js", "text/javascript; charset=utf-8"},
	"/app.css":      {"page/app.css", "text/css; charset=utf-8"},
	"/openapi.json": {"page/openapi.json", "application/json"},
}

// Options are the options of a server.
type Options struct {
	Version string
	// Token must come with each question, as "Authorization: Bearer TOKEN". An
	// empty one asks for none, and then the host that a browser names must be the
	// machine itself: no page of another site can reach the service by a name of
	// its own for it.
	Token string
	// Timeout ends the work on a question. Zero means 60 s.
	Timeout time.Duration
	// Concurrent is the number of questions that are worked on at a time; others
	// wait. Zero means 4.
	Concurrent int
	// SavedIn names the file of [Graphs.Keep], for people.
	SavedIn string
	// Items are what the nodes stand for. They may be nil.
	Items *Items
	// Log is told of errors that are not the asker's, by several goroutines. It may be nil.
	Log func(error)
	// Guard calls a function that reads the graph, and turns its panics into errors where the
	// graph's file was changed. It may be nil.
	Guard func(func() error) error
}

// Server answers questions of a model. It is an [http.Handler].
type Server struct {
	model  *Model
	opt    Options
	token  [sha256.Size]byte
	turns  chan struct{}
	intake intake
	atlas  atlas
	http.Handler
}

// NewServer returns a server.
func NewServer(m *Model, opt Options) *Server {
	if opt.Timeout == 0 {
		opt.Timeout = 60 * time.Second
	}
	if opt.Concurrent == 0 {
		opt.Concurrent = 4
	}
	if opt.Log == nil {
		opt.Log = func(error) {}
	}
	if opt.Guard == nil {
		opt.Guard = func(f func() error) error { return f() }
	}
	s := &Server{model: m, opt: opt, token: sha256.Sum256([]byte(opt.Token)), turns: make(chan struct{}, opt.Concurrent)}
	s.atlas.ended = make(chan struct{})
	s.atlas.ctx, s.atlas.cancel = context.WithCancel(context.Background())
	mux := http.NewServeMux()
	s.routes(mux)
	for address, file := range files {
		content, err := page.ReadFile(file.name)
		if err != nil {
			panic(err) // embedded
		}
		pattern := "GET " + address
		if address == "/" {
			pattern += "{$}"
		}
		mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", file.kind)
			_, _ = w.Write(content) // who has gone away needs no answer
		})
	}
	changes := http.NewCrossOriginProtection()
	changes.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { writeFault(w, errForeign) }))
	s.Handler = s.whole(s.guarded(changes.Handler(mux)))
	return s
}

var errForeign = faultf(http.StatusForbidden, "asked by another site's page, expected one of this service")

// isForeign reports whether a question comes from a page of another site, as browsers
// say. Links to the page itself may be anywhere.
func isForeign(r *http.Request) bool {
	if !strings.HasPrefix(r.URL.Path, "/v1/") {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "same-origin", "none":
		return false
	case "": // of an older browser, or none
		origin := r.Header.Get("Origin")
		_, host, _ := strings.Cut(origin, "://")
		return origin != "" && host != r.Host
	}
	return true
}

// guarded refuses strangers, and tells browsers what the pages may do.
func (s *Server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		switch {
		case s.opt.Token == "" && !isLocal(r.Host):
			writeFault(w, faultf(http.StatusForbidden, "host %q, expected this machine: without a token only it is served", r.Host))
		case s.opt.Token != "" && strings.HasPrefix(r.URL.Path, "/v1/") && !s.knows(r.Header.Get("Authorization")):
			h.Set("WWW-Authenticate", "Bearer")
			writeFault(w, faultf(http.StatusUnauthorized, "no token, or a wrong one; expected the header Authorization: Bearer TOKEN"))
		case isForeign(r):
			writeFault(w, errForeign)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// knows compares a token in a time that tells nothing of it.
func (s *Server) knows(authorization string) bool {
	kind, token, _ := strings.Cut(authorization, " ")
	sum := sha256.Sum256([]byte(token))
	return strings.EqualFold(kind, "Bearer") && subtle.ConstantTimeCompare(sum[:], s.token[:]) == 1
}

// isLocal reports whether a host, with or without a port, is this machine by a
// name that no other site can take.
func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.EqualFold(host, "localhost") || IsLoopback(host)
}

// IsLoopback reports whether an address is reached from this machine alone.
func IsLoopback(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// limited answers with JSON, within the limits.
func (s *Server) limited(q question) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := q.takes.check(r.URL.RawQuery); err != nil {
			writeFault(w, err)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), s.opt.Timeout)
		defer cancel()
		body, release, err := s.intake.read(w, r)
		if err != nil {
			writeFault(w, err)
			return
		}
		defer release()
		r = r.WithContext(ctx)
		r.Body = io.NopCloser(bytes.NewReader(body))
		text, err := s.inTurn(r, q.answer)
		if err != nil {
			if code := writeFault(w, err); code == http.StatusInternalServerError || code == http.StatusInsufficientStorage {
				s.opt.Log(err)
			}
			return
		}
		if text.name != "" {
			w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", text.name))
		}
		w.Header().Set("Content-Type", text.kind)
		_, _ = w.Write(text.content) // who has gone away needs no answer
	})
}

// inTurn works on a question when it is its turn. The whole answer is made in it and
// written after it: who reads slowly keeps nobody waiting, nor the graph from being read.
func (s *Server) inTurn(r *http.Request, answer func(r *http.Request) (any, error)) (text file, err error) {
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-r.Context().Done():
		return file{}, r.Context().Err()
	}
	err = s.opt.Guard(func() error {
		value, err := answer(r)
		if err != nil {
			return err
		}
		var ok bool
		if text, ok = value.(file); ok {
			return nil
		}
		text.kind = "application/json"
		text.content, err = json.Marshal(value)
		text.content = append(text.content, '\n')
		return err
	})
	return text, err
}

// file is an answer as it is written; one of JSON has no name.
type file struct {
	kind, name string
	content    []byte
}

// writeFault answers with {"error": …} and returns the status.
func writeFault(w http.ResponseWriter, err error) int {
	f := fault{http.StatusInternalServerError, "internal error"}
	switch {
	case errors.As(err, &f):
	case errors.Is(err, ErrKeep):
		f = fault{http.StatusInsufficientStorage, err.Error()}
	case errors.Is(err, ErrLabels), errors.Is(err, diffuse.ErrSeeds):
		f = fault{http.StatusConflict, err.Error()}
	case errors.Is(err, context.DeadlineExceeded):
		f = fault{http.StatusServiceUnavailable, "took too long; the limit is --request-timeout"}
	case errors.Is(err, context.Canceled):
		f = fault{http.StatusServiceUnavailable, "stopped"}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(f.code)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": f.says})
	return f.code
}
