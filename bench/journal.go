package bench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// Journal is a file of the accuracies of an experiment, a line
// `set,labels,method,seed,draw,accuracy` for each as soon as it is known, so
// that an experiment of many hours goes on where it was cut off. It knows
// nothing of the program or of the data that a line was made with: keep one
// for one version of both. Not for two processes at a time.
type Journal struct {
	file  *os.File
	known map[string]float64
}

// OpenJournal reads the lines of an earlier experiment, if there are any, and
// opens the file for more. A last line without its end is a run that was
// killed as it wrote, and is cut off; any other line that is not of a journal
// is an error with its number.
func OpenJournal(name string) (*Journal, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	j := &Journal{file: f, known: map[string]float64{}}
	if err := j.read(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return j, nil
}

func (j *Journal) read() error {
	text, err := io.ReadAll(j.file)
	if err != nil {
		return err
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.TrimSuffix(line, "\n")
		cut := strings.LastIndexByte(line, ',')
		v, err := strconv.ParseFloat(line[cut+1:], 64)
		if strings.Count(line, ",") != 5 || err != nil || !(v >= 0 && v <= 1) {
			return &lines.Error{File: j.file.Name(), Line: number, Msg: lines.Quote([]byte(line)) + " is no line of a journal, expected set,labels,method,seed,draw,accuracy"}
		}
		j.known[line[:cut]] = v
	}
	if err := j.file.Truncate(int64(len(text))); err != nil {
		return err
	}
	_, err = j.file.Seek(int64(len(text)), io.SeekStart)
	return err
}

func (a Accuracy) key(d Drawn, m Method) string {
	name := m.Name
	if a.Balanced {
		name += " balanced"
	}
	if d.Splits == AtRandom {
		name += " at random"
	}
	return fmt.Sprintf("%s,%d,%s,%d,%d", d.Set, d.PerClass, name, a.Seed, d.Draw)
}

func (j *Journal) add(key string, v float64) error {
	j.known[key] = v
	_, err := fmt.Fprintf(j.file, "%s,%s\n", key, strconv.FormatFloat(v, 'g', -1, 64))
	return err
}

// Close closes the file.
func (j *Journal) Close() error { return j.file.Close() }
