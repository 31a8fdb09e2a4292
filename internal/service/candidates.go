package service

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// candidates are the nodes whose predicted label can be taken as known: those of a margin of at
// least `least`, of one class where a label is given, the least margin first: if those are right,
// the others are.
func (s *Server) candidates(r *http.Request) (any, error) {
	count, err := number(r, "count", 20)
	if err != nil {
		return nil, err
	}
	query, least := r.URL.Query(), 0.5
	if query.Has("least") {
		if least, err = strconv.ParseFloat(query.Get("least"), 64); err != nil || !(least >= 0 && least <= 1) {
			return nil, faultf(http.StatusBadRequest, "least=%s, expected 0 to 1", lines.Quote([]byte(query.Get("least"))))
		}
	}
	l := s.model.now.Load()
	class := -1
	if query.Has("label") {
		if class = slices.Index(l.classes, query.Get("label")); class < 0 {
			return nil, faultf(http.StatusNotFound, "no class %s", lines.Quote([]byte(query.Get("label"))))
		}
	}
	type candidate struct {
		node   int
		margin float32
	}
	var list []candidate
	isSeed := l.seeds.Mask()
	for i, j := range l.labels {
		if j < 0 || isSeed[i] || class >= 0 && int(j) != class {
			continue
		}
		if _, margin := l.margin(i, j); margin > adp.TieMargin && float64(margin) >= least {
			list = append(list, candidate{i, margin})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.margin, b.margin) })
	out := struct {
		All   int          `json:"all"`
		Nodes []nodeRecord `json:"nodes"`
	}{len(list), []nodeRecord{}}
	for _, c := range list[:min(count, len(list))] {
		out.Nodes = append(out.Nodes, s.node(l, c.node))
	}
	return out, nil
}
