package model_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn"
)

// Vectors to labels, then to a file, then labels of new vectors.
func Example() {
	if err := labelNew(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 2 is near
	// 9 is far
}

func labelNew() error {
	ctx := context.Background()
	x := &csr.Dense{Rows: 6, Cols: 1, Data: []float32{0, 1, 2.5, 10, 11, 12.5}}
	opt := knn.GraphOptions{Search: knn.Options{K: 2}}
	w, report, err := knn.Graph(ctx, x, opt)
	if err != nil {
		return err
	}
	joins, err := knn.NewAttachment(report.Found, report.Neighbors, opt)
	if err != nil {
		return err
	}
	seeds, err := diffuse.HardSeeds([]int{0, -1, -1, 1, -1, -1})
	if err != nil {
		return err
	}
	options := adp.Options{Method: adp.LGC}
	result, err := adp.Run(ctx, w, seeds, options)
	if err != nil {
		return err
	}
	var file bytes.Buffer
	written := model.Model{
		Method: "lgc", Alpha: 0.99, Classes: []string{"near", "far"}, Nodes: ids.Sequence(x.Rows),
		F: result.F, Degrees: result.Degrees(w, options.Method, 0),
		Features: &model.Features{Dims: x.Cols, Sum: model.Sum(diffuse.Features{Dense: x})}, Joins: joins,
	}
	if err := written.Write(&file); err != nil {
		return err
	}

	m, err := model.Read(bytes.NewReader(file.Bytes()), "run.model", int64(file.Len()))
	if err != nil {
		return err
	}
	if err := m.Features.Check(diffuse.Features{Dense: x}, m.F.Rows); err != nil {
		return err
	}
	index, err := m.Joins.Index(x, 0)
	if err != nil {
		return err
	}
	fresh := &csr.Dense{Rows: 2, Cols: 1, Data: []float32{2, 9}}
	near, err := index.Nearest(ctx, fresh, m.Joins.Search)
	if err != nil {
		return err
	}
	edges, err := m.Joins.Weights(near, 0)
	if err != nil {
		return err
	}
	predicted, err := m.Predict(ctx, model.Points{Nearest: edges, Features: diffuse.Features{Dense: fresh}}, nil, 0, 0)
	if err != nil {
		return err
	}
	for i, label := range predicted.Labels {
		fmt.Println(fresh.At(i, 0), "is", m.Classes[label])
	}
	return nil
}
