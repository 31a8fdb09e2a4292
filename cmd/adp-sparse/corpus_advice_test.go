//go:build unix

package main

import "testing"

// adviceCases are faults that have an advice, which works when followed: the next case follows it.
func adviceCases(t *testing.T) []trouble {
	run := func(more string, files ...string) given { return reading(runText+"g"+more, files...) }
	return []trouble{
		{"advice: labels from 1 of edges from 0", run(" --labels l", "g", "0\t1\n1\t2\n2\t3\n", "l", "1\tx\n4\ty\n"), 1, `l:2: node "4" is not in the graph … ; nodes of g are 0 to 3: if the ids count from 1, number both alike` + "\n"},
		{"advice: accepted: labels from 1 to 3 of edges from 0", run(" --labels l", "g", "0\t1\n1\t2\n2\t3\n", "l", "1\tx\n2\ty\n3\ty\n"), 0, `warning [counted-from-one]: labels: 3 nodes taken as counted from 0 (the first: "1"); the ids begin at 1, and nodes of g are 0 to 3: if the first row is node 1, number both alike`},
		{"advice: one column of labels, nodes from 1", run(" --labels l", "g", "1 2\n2 3\n3 4\n", "l", "x\ny\n"), 1, `l:1: 1 column, expected id label [weight]; labels without ids are of nodes 0, 1, …, and node "0" is not in the graph` + "\n"},
		{"advice: one column of labels, names", run(" --labels l", "l", "x\ny\nx\ny\n"), 1, `l: node "0" is not in the graph, and labels without ids are of nodes 0 to 3: write lines of the form id label` + "\n"},
		{"advice: one column of labels, a node without edges", run(" --labels l", "g", "0 1\n1 3\n", "l", "x\ny\n"), 1, `l:1: 1 column, expected id label [weight]; labels without ids are of nodes 0, 1, …, and node "2" is not in the graph` + "\n"},
		{"advice: a vector of labels, names", run(" --labels y.npy", "y.npy", string(int64s(1, 2))), 1, `y.npy: 2 labels, expected lines of the form id label: labels without ids are of nodes 0, 1, …, and node "0" is not in the graph` + "\n"},
		{"advice: values below 0", matrix("x.mtx", mm("symmetric", "3 3 2\n2 1 -1\n3 2 1\n")), 1, "x.mtx: row 0: value -1 in column 1, expected none below 0\n"},
		{"advice: values below 0, directed", matrix("x.mtx", mm("general", "3 3 2\n2 1 -1\n3 2 1\n"), "--directed"), 1, "x.mtx: row 0: value -0.5 in column 1, expected none below 0\n"},
		{"advice: two kinds of nodes", matrix("x.npz", coo(t, 2, 3, "0 1 1; 1 0 1")), 1, `x.npz: shape 2×3, expected a square matrix; if rows and columns are two kinds of nodes, a graph of both is, in Python: scipy.sparse.save_npz("graph.npz", scipy.sparse.bmat([[None, m], [m.T, None]], "csr")) of the matrix m` + "\n"},
		{"advice: a matrix with a direction", matrix("x.mtx", mm("general", "3 3 2\n2 1 1\n1 3 1\n")), 1, "expected a symmetric matrix; --directed makes (W+Wᵀ)/2 of a matrix that is not symmetric\n"},
		{"advice: accepted: a matrix with a direction, directed", matrix("x.mtx", mm("general", "3 3 2\n2 1 1\n1 3 1\n"), "--directed"), 0, "0\t1\t0.5\n0\t2\t0.5\n"},
	}
}
