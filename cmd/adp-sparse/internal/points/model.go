package points

import (
	"io"
	"unicode/utf8"

	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/internal/inputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// ReadModel reads a model, in place where the file is plain.
func ReadModel(name string, std streams.Stdio) (m *model.Model, err error) {
	err = inputs.Read(name, std, func(r io.Reader, shown string, size int64) error {
		plain, size, err := format.Decompress(r, shown, size)
		if err != nil {
			return err
		}
		if at, ok := plain.(io.ReaderAt); ok && size >= 0 {
			m, err = model.Read(at, shown, size)
		} else {
			m, err = model.ReadStream(plain, shown)
		}
		return err
	})
	return m, err
}

// CheckForModel refuses names that are not UTF-8: the model keeps them as JSON, and predict reads
// them back.
func (f *Flags) CheckForModel() error {
	for _, flag := range []struct {
		name   string
		values []string
	}{
		{"features", []string{f.File}},
		{"array", []string{f.array}},
		{"id-column", []string{f.Pick.ID}},
		{"feature-columns", f.Pick.Only},
		{"drop-columns", f.Pick.Drop},
		{"categories", f.Pick.Categories},
	} {
		for _, value := range flag.values {
			if !utf8.ValidString(value) {
				return usage.Errorf("--%s %s is not UTF-8, and --model keeps the name for predict: give it another one", flag.name, lines.Quote([]byte(value)))
			}
		}
	}
	return nil
}
