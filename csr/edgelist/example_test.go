package edgelist_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/adp-sparse/adp-sparse/csr/edgelist"
)

// A graph from any io.Reader, and back to any io.Writer.
func ExampleRead() {
	text := `# who met whom
ann bob 2
bob cid
cid ann
bob ann`
	graph, err := edgelist.Read(strings.NewReader(text), "met.txt", edgelist.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(graph.IDs.Len(), "nodes,", graph.W.NNZ()/2, "edges,", graph.Stats.Duplicates, "given again")
	if err := edgelist.Write(os.Stdout, graph.W, graph.IDs, '\t'); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 3 nodes, 3 edges, 1 given again
	// ann	bob	3
	// ann	cid	1
	// bob	cid	1
}

// Faults name the file, the line, what was found and what was expected.
func ExampleRead_fault() {
	_, err := edgelist.Read(strings.NewReader("a b 1\nb c -2\n"), "graph.txt", edgelist.Options{})
	fmt.Println(err)
	// Output: graph.txt:2: weight "-2" is negative, expected at least 0
}
