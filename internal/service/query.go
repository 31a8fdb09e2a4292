package service

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// parameters are the names that a question's query may have, and how often.
type parameters map[string]int

// check refuses a query with anything else in it, which would be answered as if it had not
// been asked for.
func (p parameters) check(raw string) error {
	query, err := url.ParseQuery(raw)
	if err != nil {
		return faultf(http.StatusBadRequest, "query %s: %v, expected NAME=VALUE with & between them and other signs as %%25", lines.Quote([]byte(raw)), err)
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		switch n, most := len(query[name]), p[name]; {
		case most == 0:
			return faultf(http.StatusBadRequest, "parameter %s, expected %s", lines.Quote([]byte(name)), p)
		case n > most && most == 1:
			return faultf(http.StatusBadRequest, "%s is given %d times, expected once", name, n)
		case n > most:
			return faultf(http.StatusBadRequest, "%s is given %d times, expected %d at most", name, n, most)
		}
	}
	return nil
}

func (p parameters) String() string {
	if len(p) == 0 {
		return "none"
	}
	return strings.Join(slices.Sorted(maps.Keys(p)), " or ")
}

// named returns the node that a request names.
func (s *Server) named(r *http.Request) (int, error) {
	query := r.URL.Query()
	if !query.Has("node") {
		return 0, faultf(http.StatusBadRequest, "no node, expected node=NAME once")
	}
	return s.find(query.Get("node"))
}

// number reads a count from a request.
func number(r *http.Request, name string, otherwise int) (int, error) {
	query := r.URL.Query()
	if !query.Has(name) {
		return otherwise, nil
	}
	text := query.Get(name)
	v, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || v < 1 || v > mostListed {
		return 0, faultf(http.StatusBadRequest, "%s=%s, expected 1 to %d", name, lines.Quote([]byte(text)), mostListed)
	}
	return v, nil
}
