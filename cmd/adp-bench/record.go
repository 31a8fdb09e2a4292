package main

import (
	"context"
	"io"

	"github.com/adp-sparse/adp-sparse/bench/plot"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

// product is a file that is made of what an experiment found.
type product[T any] struct {
	outputs.File
	write func(w io.Writer, found T) error
}

// record does an experiment and writes what it found to files, which are opened before it begins.
func record[T any](ctx context.Context, std streams.Stdio, inputs []outputs.File, run func(context.Context) (T, error), products ...product[T]) error {
	var files []outputs.File
	for _, p := range products {
		files = append(files, p.File)
	}
	return outputs.With(std, inputs, files, func(to *outputs.Set) error {
		found, err := run(ctx)
		if err != nil {
			return err
		}
		for _, p := range products {
			if err := to.Write(p.Name, func(w io.Writer) error { return p.write(w, found) }); err != nil {
				return err
			}
		}
		return nil
	})
}

// table is the file of --out.
func table[T any](name string, write func(w io.Writer, found T) error) product[T] {
	return product[T]{outputs.File{Flag: "out", Name: name}, write}
}

// figure is the file of --plot.
func figure[D any](name string, draw func([]D) (*plot.Figure, error)) product[[]D] {
	return product[[]D]{outputs.File{Flag: "plot", Name: name}, func(w io.Writer, data []D) error { return writeFigure(w, name, data, draw) }}
}

// checkFigures refuses names of figures in formats that are not drawn. Empty ones are none.
func checkFigures(names ...string) error {
	for _, name := range names {
		if _, err := plot.FormatOf(name); name != "" && err != nil {
			return usage.Error{Err: err}
		}
	}
	return nil
}

// writeFigure draws the data in the format that the file's name says.
func writeFigure[D any](w io.Writer, name string, data []D, draw func([]D) (*plot.Figure, error)) error {
	format, err := plot.FormatOf(name)
	if err != nil {
		return err
	}
	figure, err := draw(data)
	if err != nil {
		return err
	}
	return figure.Write(w, format)
}
