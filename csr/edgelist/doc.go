// Package edgelist reads and writes graphs as text, an edge a line:
//
//	src dst [weight]
//
// Ids are opaque UTF-8 strings. The separator (tab, comma, semicolon or spaces) is fixed
// by the first data line, and a tab in a file of spaces is an error; lines
// that start with '#' or '%' are comments, but in a csv file and below a header
// (Options.Comments); other columns are chosen by Options.Columns, or by titles that say plainly what
// they hold; an arrow, -> or --, between the two ids of every line is left out; a first line of KONECT, % FORMAT WEIGHTS, is read as such. What is skipped is
// counted in Notes. CRLF and a byte order mark are stripped; between commas, fields may be quoted as in RFC 4180, within a line;
// gzip and zstd are recognised by content. A missing weight is 1. A
// weight is a decimal number of at least 0.
//
// A graph is undirected unless Options.Directed says otherwise. Edges given
// more than once are merged, self-loops and edges of weight 0 are dropped,
// and all are counted; their nodes stay. Nodes are numbered by sorted id
// (as numbers where all ids are integers), so that nothing depends on the
// order of the lines.
package edgelist
