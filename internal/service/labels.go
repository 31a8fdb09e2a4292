package service

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"

	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// labels are the known labels, those given here included, as a file that run reads.
func (s *Server) labels(*http.Request) (any, error) {
	return s.model.file(s.model.now.Load())
}

// file returns the known labels of a labelling as a file: separated by tabs, or by commas where a
// line would be a comment without the quotes that only those have.
func (m *Model) file(l *labelling) (file, error) {
	list := l.seeds.List()
	to := file{kind: "text/tab-separated-values; charset=utf-8", name: "labels.tsv", content: []byte{}}
	separator := byte('\t')
	var name []byte
	for _, seed := range list {
		if name = m.names.AppendName(name[:0], int(seed.Node)); lines.IsComment(name) {
			to.kind, to.name, separator = "text/csv; charset=utf-8", "labels.csv", ','
			break
		}
	}
	for k, seed := range list {
		name = m.names.AppendName(name[:0], int(seed.Node))
		for at, text := range [][]byte{name, []byte(l.classes[seed.Class])} {
			if err := lines.CheckName(text, '\t'); err != nil { // the separator of a file is a tab if it has one
				return to, faultf(http.StatusConflict, "no file of labels can hold this: %v", err)
			}
			if at > 0 {
				to.content = append(to.content, separator)
			}
			if separator == ',' {
				text = slices.Concat([]byte{'"'}, bytes.ReplaceAll(text, []byte{'"'}, []byte(`""`)), []byte{'"'})
			}
			to.content = append(to.content, text...)
		}
		if seed.Weight != 1 || diffuse.IsSoft(list, k) {
			to.content = fmt.Appendf(to.content, "%c%g", separator, seed.Weight)
		}
		to.content = append(to.content, '\n')
	}
	return to, nil
}
