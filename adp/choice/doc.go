// Package choice chooses what a run starts from by left-out seeds (package crossval): the graph of the
// nodes ([Graph]) and the sizes of the classes ([Prior]). Package adp/fit makes both choices where they
// are left to it.
package choice
