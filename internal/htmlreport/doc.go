// Package htmlreport writes what a run did and found as one HTML page that
// needs nothing else: no network, no script. It reads well on a narrow screen
// and in the dark, and its bytes depend on the graph, the seeds and the options
// alone: no times, no number of threads.
//
// Names of nodes and classes are text of strangers: they are escaped, and kept
// apart from the direction of the text around them.
//
// Memory beside what it shows: 20 bytes a node, and a few megabytes for the
// drawings, which are of [MostNodes] nodes at most. These hang together: of each class
// its share of them, breadth first from its seeds.
package htmlreport
