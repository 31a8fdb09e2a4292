package outputs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
)

// Folder makes a folder for outputs where it is not there. Where it made one, discard removes it
// unless something was written to it. No name is no folder.
func Folder(name string) (discard func(), err error) {
	if name == "" {
		return func() {}, nil
	}
	err = os.Mkdir(name, 0o755)
	if errors.Is(err, fs.ErrExist) {
		return func() {}, nil // where it is no folder, making files in it gives the error
	}
	return func() { os.Remove(name) }, err // only an empty folder goes
}

// Text is a file of a folder.
type Text struct {
	Name    string
	Content []byte
}

// Texts writes files to the folder that the user named by a flag, and makes it where it is not there: all
// files, or none and no folder.
func Texts(std streams.Stdio, folder File, texts []Text) error {
	discard, err := Folder(folder.Name)
	if err != nil {
		return err
	}
	defer discard()
	var outs []File
	for _, text := range texts {
		outs = append(outs, File{folder.Flag, filepath.Join(folder.Name, text.Name)})
	}
	return With(std, nil, outs, func(o *Set) error {
		for k, text := range texts {
			if err := o.Write(outs[k].Name, func(w io.Writer) error { _, err := w.Write(text.Content); return err }); err != nil {
				return err
			}
		}
		return nil
	})
}
