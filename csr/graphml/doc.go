// Package graphml reads graphs from GraphML, the XML that networkx, igraph,
// Gephi, yEd and Cytoscape write (Brandes, Eiglsperger, Lerner, Pich:
// Graph Markup Language, 2013):
//
//	<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
//	  <key id="d0" for="edge" attr.name="weight" attr.type="double"><default>1</default></key>
//	  <graph edgedefault="undirected">
//	    <node id="a"/><node id="b"/>
//	    <edge source="a" target="b"><data key="d0">0.5</data></edge>
//	  </graph>
//	</graphml>
//
// Nodes are called by their ids, or by data as [Options] says, those without an edge too. The weight of an
// edge is its data that is called weight (or Weight), or as [Options] says: by a key (networkx writes one
// for each type of number) that is declared for edges, or for nodes, as Cytoscape does, or
// without a declaration; also an attribute of its element. Else it is the key's default, else 1. Two unequal
// weights of an edge are an error. All other data is counted and skipped.
//
// The file is read element by element, and nothing of it is kept but nodes and
// edges. An element is at most 1 MiB long and 32 deep; the document types that
// declare entities are refused, and so are hyperedges, nested graphs, a second
// graph, an edge to a node that the file does not have, and encodings other than
// UTF-8.
package graphml

import "github.com/adp-sparse/adp-sparse/internal/lines"

// ErrSyntax is wrapped by every error about the content of a file.
var ErrSyntax = lines.ErrSyntax
