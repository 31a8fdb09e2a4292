package labelfile_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// From text to text: a graph and labels in, the labels of all nodes out, as the
// command `adp-sparse run` does it.
func Example() {
	graph, err := edgelist.Read(strings.NewReader("a b\nb c\na c\nc d\nd e\ne f\nd f\n"), "graph.txt", edgelist.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	labels, err := labelfile.Read(strings.NewReader("a red\nf blue\n"), "labels.txt", graph.IDs, labelfile.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	seeds, err := diffuse.NewSeeds(graph.IDs.Len(), len(labels.Classes), labels.Seeds)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := adp.Run(context.Background(), graph.W, seeds, adp.Options{Method: adp.LGC})
	if err != nil {
		fmt.Println(err)
		return
	}
	var out strings.Builder // any io.Writer: a file, a connection
	if err := labelfile.Write(&out, result, graph.IDs, labels.Classes, labelfile.Table{}); err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(out.String()) {
		column := strings.Split(strings.TrimSpace(line), "\t")
		fmt.Println(column[0], column[1], column[4])
	}
	// Output:
	// node label status
	// a red seed
	// b red predicted
	// c red predicted
	// d blue predicted
	// e blue predicted
	// f blue seed
}
