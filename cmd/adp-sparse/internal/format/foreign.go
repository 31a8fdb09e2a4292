package format

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// foreign is a format that other programs write and this one does not read: of graphs, and some of tables, that is of
// features and labels. It is named for what it is, with the line that converts it.
type foreign struct {
	what    string
	endings []string
	// texts are endings that edge lists may have too: with --edges the content alone says.
	texts   []string
	starts  []string // of the content
	like    string   // a regular expression of how the content starts, where that is no fixed text
	is      func(text []byte) bool
	convert string // to a graph; FILE is the name of the file
	table   string // to features or labels; empty where no table is in this format
	labels  string // to labels, where that is another line than table
}

// ofGraphs and ofTables are the lines that convert a format.
func ofGraphs(f *foreign) string { return f.convert }

func ofTables(f *foreign) string { return f.table }

func ofLabels(f *foreign) string { return cmp.Or(f.labels, f.table) }

const (
	withPandas = `in Python: import pandas; pandas.`
	toCSV      = `.to_csv("table.csv", index=False)`
)

const toGraphML = `, "graph.graphml")`

const andColumns = `, then --label-id and --label-column with the titles`

// ofColumns makes labels of JSON whose keys are titles. pandas refuses lists of different lengths.
const ofColumns = `import pandas; pandas.read_json(FILE).to_csv("labels.csv", index=False) of an object {column: values}` + andColumns

// nxHeader is how networkx begins its adjacency lists, and no other file: the program, the time, and
// the name of the graph.
const nxHeader = `^#[^\n]*\n# GMT [^\n]*\n#[^\n]*\n`

// foreigners are the formats that are told apart. Those with a start of others come later.
var foreigners = []foreign{
	{what: "text in UTF-16", is: isUTF16, convert: toUTF8, table: toUTF8, labels: toUTF8},
	{
		what: "a GEXF file", endings: []string{".gexf"}, like: `(?is)^\s*(<\?xml|<!--|\s)[^\x00]*?<gexf\b|^\s*<gexf\b`,
		convert: `in Python: import networkx as nx; nx.write_graphml(nx.read_gexf(FILE)` + toGraphML,
	},
	{
		what: "an XGMML file", endings: []string{".xgmml"}, like: `(?is)^\s*(<\?xml[^\x00]*?)?<graph\s[^>]*xgmml`,
		convert: "export GraphML from Cytoscape",
	},
	{
		what: "a Pajek network", endings: []string{".paj"}, texts: []string{".net"}, like: `(?i)^(\s*(%[^\n]*|\*network[^\n]*)\n)*\s*\*vertices\b`,
		convert: `in Python: import igraph; igraph.Graph.Read_Pajek(FILE).write_graphml("graph.graphml")`,
	},
	{
		what: "a GML file", endings: []string{".gml"}, like: `(?i)^\s*((#[^\n]*|creator[^\n]*|version[^\n]*|comment[^\n]*)\n\s*)*graph\s*\[`,
		convert: `in Python: import networkx as nx; nx.write_graphml(nx.read_gml(FILE, label=None)` + toGraphML,
	},
	{
		what: "a DOT file of Graphviz", endings: []string{".gv"}, texts: []string{".dot"}, like: `(?is)^\s*(/\*.*?\*/\s*|//[^\n]*\n\s*)*(strict\s+)?(di)?graph(\s+("[^"\n]*"|\w+))?\s*\{`,
		convert: `in Python: import networkx as nx; g = nx.nx_agraph.read_dot(FILE); g.graph.clear(); nx.write_graphml(g` + toGraphML,
	},
	{
		what: "a LEDA graph", texts: []string{".lgr", ".gw", ".leda"}, starts: []string{"LEDA.GRAPH"},
		convert: `in Python: import networkx as nx; nx.write_graphml(nx.read_leda(FILE)` + toGraphML + ", then --weight-key label",
	},
	{
		what: "an LGL file", endings: []string{".lgl"}, is: isLGL,
		convert: `in Python: import igraph; igraph.Graph.Read_Lgl(FILE).write_ncol("graph.tsv")`,
	},
	{
		what: "an adjacency list of several lines", endings: []string{".multiline_adjlist", ".madjlist"}, like: nxHeader + `[^\n]* \d+\n[^\n]* \{`,
		convert: `in Python: import networkx as nx; nx.write_graphml(nx.read_multiline_adjlist(FILE)` + toGraphML,
	},
	{
		what: "an adjacency list", endings: []string{".adjlist"}, like: nxHeader,
		convert: `in Python: import networkx as nx; nx.write_edgelist(nx.read_adjlist(FILE), "graph.tsv", data=False)`,
	},
	{
		what: "a DIMACS graph", endings: []string{".dimacs"}, like: `^(c( [^\n]*)?\n)*p (edge|col|sp|max|min) +\d+ +\d+\s*\n`,
		convert: `in a shell: awk '$1=="e" || $1=="a" {print $2, $3, (NF>3 ? $4 : 1)}' FILE > graph.tsv`,
	},
	{
		what: "a UCINET DL file", texts: []string{".dl"}, like: `(?i)^\s*dl\s+n\s*=`,
		convert: `in Python: import igraph; igraph.Graph.Read_DL(FILE).write_graphml("graph.graphml")`,
	},
	{
		what: "a GDF file", endings: []string{".gdf"}, starts: []string{"nodedef>"},
		convert: "export GraphML from Gephi",
	},
	{
		what: "a file of graph6", endings: []string{".g6"}, starts: []string{">>graph6<<"},
		convert: `in Python: import networkx as nx; nx.write_graphml(nx.read_graph6(FILE)` + toGraphML,
	},
	{
		what: "a file of sparse6", endings: []string{".s6"}, starts: []string{">>sparse6<<"},
		convert: `in Python: import networkx as nx; nx.write_graphml(nx.read_sparse6(FILE)` + toGraphML,
	},
	{
		what: "a graph in Cytoscape's JSON", endings: []string{".cyjs"}, like: `^\s*\{[^\x00]*"elements"\s*:\s*\{`,
		convert: `in Python: import json, networkx as nx; nx.write_graphml(nx.cytoscape_graph(json.load(open(FILE)))` + toGraphML,
	},
	{
		what: "a JSON object of adjacency lists", like: `^\s*\{\s*("(directed|multigraph)"\s*:\s*(true|false)\s*,\s*)+"graph"\s*:\s*\[`,
		convert: `in Python: import json, networkx as nx; nx.write_graphml(nx.adjacency_graph(json.load(open(FILE)))` + toGraphML,
	},
	{
		what: "a JSON object", like: `^\s*\{\s*"(directed|multigraph|graph|nodes|links|edges)"\s*:`,
		convert: `in Python: import json, networkx as nx; nx.write_graphml(nx.node_link_graph(json.load(open(FILE)))` + toGraphML,
	},
	{
		what: "a JSON object of lists", like: `^\s*\{\s*"[^"\n]*"\s*:\s*\[`,
		convert: `in Python: import json, networkx as nx; nx.write_edgelist(nx.from_dict_of_lists(json.load(open(FILE))), "graph.tsv", delimiter="\t", data=False) of an object {node: neighbours}`,
		table:   `in Python: import json, pandas; pandas.DataFrame.from_dict(json.load(open(FILE)), orient="index").to_csv("table.csv", index_label="id") of an object {id: numbers}, then --id-column id; without orient and with index=False of {column: numbers}`,
		labels:  `in Python: import csv, json; csv.writer(open("labels.csv", "w", newline="")).writerows((k, v) for k, all in json.load(open(FILE)).items() for v in all) of an object {id: labels}, then --multilabel if a node has several; ` + ofColumns,
	},
	{
		what: "a JSON array of pairs", like: `^\s*\[\s*\[`,
		convert: `in Python: import csv, json; csv.writer(open("graph.csv", "w", newline="")).writerows(json.load(open(FILE)))`,
		table:   `in Python: import json, numpy; numpy.save("x.npy", numpy.array(json.load(open(FILE))))`,
		labels:  `in Python: import csv, json; csv.writer(open("labels.csv", "w", newline="")).writerows(json.load(open(FILE)))`,
	},
	{
		what: "a JSON array of objects", like: `^\s*\[\s*\{`,
		convert: withPandas + `read_json(FILE).to_json("graph.jsonl", orient="records", lines=True)`,
		table:   withPandas + `read_json(FILE)` + toCSV,
		labels:  withPandas + `read_json(FILE).to_csv("labels.csv", index=False)` + andColumns,
	},
	{
		what: "a JSON array", like: `^\s*\[\s*(-?\d[\d.e+-]*|"[^"\n]*"|null|true|false)\s*,`,
		labels: `in Python: import json; open("labels.txt", "w").writelines(f"{v}\n" for v in json.load(open(FILE))) of a label for each node`,
	},
	{
		what: "JSON, an object a line", like: `^\s*\{[^{}\n]*\}\r?\n\s*\{`,
		convert: `give it the ending .jsonl`,
		table:   withPandas + `read_json(FILE, lines=True)` + toCSV,
		labels:  withPandas + `read_json(FILE, lines=True).to_csv("labels.csv", index=False)` + andColumns,
	},
	{
		what: "a JSON object", texts: []string{".json"}, like: `^\s*\{\s*("[^"\n]*"\s*:|\n)`,
		convert: `in Python: import json, networkx as nx; nx.write_graphml(nx.node_link_graph(json.load(open(FILE)))` + toGraphML + ` of what networkx wrote; else write lines src dst`,
		table:   withPandas + `read_json(FILE)` + toCSV,
		labels:  `in Python: import csv, json; csv.writer(open("labels.csv", "w", newline="")).writerows(json.load(open(FILE)).items()) of an object {id: label}; ` + ofColumns,
	},
	{
		what: "a SIF file of Cytoscape", endings: []string{".sif"},
		convert: `in a shell: awk '{for (i = 3; i <= NF; i++) print $1 "\t" $i}' FILE > graph.tsv, with awk -F '\t' if names have blanks`,
	},
	{
		what: "a TGF file", endings: []string{".tgf"},
		convert: `in a shell: sed '1,/^#/d' FILE | awk '{print $1 "\t" $2}' > graph.tsv`,
	},
	{
		what: "an AnnData file", endings: []string{".h5ad"},
		convert: `in Python: import anndata, scipy.sparse; scipy.sparse.save_npz("graph.npz", anndata.read_h5ad(FILE).obsp["connectivities"].tocsr())`,
		table:   `in Python: import anndata, numpy; numpy.save("x.npy", anndata.read_h5ad(FILE).obsm["X_pca"]), or anndata.read_h5ad(FILE).obs.to_csv("table.csv") of labels`,
	},
	{
		what: "a MATLAB file", endings: []string{".mat"}, starts: []string{"MATLAB 5.0", "MATLAB 7.3"},
		convert: `in Python: import scipy.io, scipy.sparse; scipy.sparse.save_npz("graph.npz", scipy.sparse.csr_matrix(scipy.io.loadmat(FILE)["NAME OF THE MATRIX"]))`,
		table:   `in Python: import numpy, scipy.io; numpy.save("x.npy", scipy.io.loadmat(FILE)["NAME OF THE ARRAY"])`,
	},
	{
		what: "an HDF5 file", endings: []string{".h5", ".hdf5"}, starts: []string{"\x89HDF\r\n\x1a\n"},
		convert: `in Python: import h5py, scipy.sparse; g = h5py.File(FILE)["NAME OF THE MATRIX"]; scipy.sparse.save_npz("graph.npz", scipy.sparse.csr_matrix((g["data"][:], g["indices"][:], g["indptr"][:])))`,
		table:   `in Python: import h5py, numpy; numpy.save("x.npy", h5py.File(FILE)["NAME OF THE ARRAY"][:])`,
	},
	{
		what: "a file of R", endings: []string{".rds", ".rdata", ".rda"}, starts: []string{"RDX2\n", "RDX3\n", "X\n\x00\x00\x00"}, like: `^A\n[23]\n\d{5,}\n\d{5,}\n`,
		convert: `in R: igraph::write_graph(readRDS(FILE), "graph.graphml", "graphml") of a graph, or Matrix::writeMM(readRDS(FILE), "graph.mtx") of a matrix`,
		table:   `in R: write.csv(readRDS(FILE), "table.csv", row.names=FALSE) of .rds; load(FILE) of .RData, and write.csv of what it names`,
	},
	{
		what: "a pickle of Python", endings: []string{".gpickle", ".pickle", ".pkl"}, starts: []string{"\x80\x02", "\x80\x03", "\x80\x04", "\x80\x05"},
		convert: `in Python: import pickle, networkx as nx; g = pickle.load(open(FILE, "rb")); g.to_csv("graph.csv", index=False) if hasattr(g, "to_csv") else g.write_graphml("graph.graphml") if hasattr(g, "write_graphml") else nx.write_graphml(g` + toGraphML,
		table:   withPandas + `DataFrame(pandas.read_pickle(FILE))` + toCSV,
	},
	{
		what: "a file of PyTorch", endings: []string{".pt", ".pth"},
		convert: `in Python: import numpy, torch; numpy.savetxt("graph.tsv", torch.load(FILE).edge_index.T.numpy(), fmt="%d")`,
		table:   `in Python: import numpy, torch; numpy.save("x.npy", torch.load(FILE).numpy())`,
	},
	{
		what: "an array of numpy", endings: []string{".npy"}, starts: []string{"\x93NUMPY"},
		convert: `in Python: import numpy, scipy.sparse; scipy.sparse.save_npz("graph.npz", scipy.sparse.csr_matrix(numpy.load(FILE))) of an n×n matrix, or numpy.savetxt("graph.tsv", numpy.load(FILE), fmt="%d") of pairs, with .T of a 2×m array; arrays of vectors or labels are no graphs`,
	},
	{
		what: "a zip archive", endings: []string{".zip"},
		convert: `in a shell: unzip FILE`,
	},
	{
		what: "an Excel file", endings: []string{".xlsx", ".xls", ".ods"}, starts: []string{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"},
		convert: withPandas + `read_excel(FILE).to_csv("graph.csv", index=False), then --edges graph.csv --header yes`,
		table:   withPandas + `read_excel(FILE)` + toCSV,
	},
	{
		what: "a Feather or Arrow file", endings: []string{".feather", ".arrow"}, starts: []string{"ARROW1\x00\x00", "FEA1"},
		convert: withPandas + `read_feather(FILE).to_parquet("graph.parquet")`,
		table:   withPandas + `read_feather(FILE)` + toCSV,
	},
	{
		what: "a Stata file", endings: []string{".dta"}, starts: []string{"<stata_dta>"},
		convert: withPandas + `read_stata(FILE).to_csv("graph.csv", index=False), then --edges graph.csv --header yes`,
		table:   withPandas + `read_stata(FILE)` + toCSV,
	},
	{
		what: "an SQLite database", endings: []string{".sqlite"}, starts: []string{"SQLite format 3\x00"},
		convert: `in a shell: sqlite3 -tabs FILE "select source, target, weight from edges" > graph.tsv`,
		table:   `in a shell: sqlite3 -header -csv FILE "select * from NAME_OF_THE_TABLE" > table.csv`,
	},
}

// checkForeign refuses a graph in a format that others write.
func checkForeign(flag, name string, head []byte) error {
	if byName, _ := ByName(name); byName == JSONLines { // known by its ending alone
		return nil
	}
	return refuseForeign(name, head, flag == "graph", ofGraphs)
}

// CheckTable refuses features in a format that others write.
func CheckTable(name string, head []byte) error { return refuseForeign(name, head, true, ofTables) }

// CheckMatrix refuses features in Matrix Market, whose entries would be read as points, whatever their format is said
// to be.
func CheckMatrix(name string, head []byte) error {
	if own, seen := ByContent(head); (!seen || own != MatrixMarket) && Ending(name) != ".mtx" { // the head may be compressed
		return nil
	}
	return &lines.Error{File: name, Msg: with(`a Matrix Market file, which is read as a graph and not as features; in Python: import scipy.io, scipy.sparse; scipy.sparse.save_npz("x.npz", scipy.sparse.csr_matrix(scipy.io.mmread(FILE))), with .T where columns are points`, name)}
}

// CheckArchive refuses labels in a format of bytes that others write, before they are taken for a compressed text.
func CheckArchive(name string, head []byte) error {
	return refuseForeign(name, head, false, func(f *foreign) string {
		if f.like != "" {
			return ""
		}
		return ofLabels(f)
	})
}

// refuseForeign refuses a file in a format that others write and that has a line to convert it. Its content says more
// than its ending: a file that is called .net may be an edge list, and a Matrix Market file may have any name. But
// archives are of many formats, and so are HDF5 files.
func refuseForeign(name string, head []byte, texts bool, line func(*foreign) string) error {
	text, ending := lines.TrimMark(head), Ending(name)
	byEnding := slices.IndexFunc(foreigners, func(f foreign) bool {
		return line(&f) != "" && (slices.Contains(f.endings, ending) || texts && slices.Contains(f.texts, ending))
	})
	byContent := slices.IndexFunc(foreigners, func(f foreign) bool { return line(&f) != "" && f.begins(head, text) })
	own, seen := ByContent(head)
	switch {
	case byContent >= 0 && (byEnding < 0 || foreigners[byEnding].tells()):
		return foreigners[byContent].refuse(name, line)
	case byEnding >= 0 && (!seen || own == NPZ):
		return foreigners[byEnding].refuse(name, line)
	}
	return nil
}

// isForeign reports whether an ending, in small letters, is of files in a format that is not written, and which
// other programs would not take a table of text for.
func isForeign(ending string) bool {
	others := []string{
		".avro", ".db", ".doc", ".docx", ".hdf", ".htm", ".html", ".joblib", ".odt", ".orc", ".pdf", ".png", ".rtf",
		".sav", ".sqlite3", ".svg", ".toml", ".xlsb", ".xlsm", ".xml", ".yaml", ".yml",
	}
	return slices.Contains(others, ending) || slices.ContainsFunc(foreigners, func(f foreign) bool {
		return slices.Contains(f.endings, ending) || slices.Contains(f.texts, ending)
	})
}

// tells reports whether the content of the format tells it from others.
func (f *foreign) tells() bool { return f.is != nil || f.like != "" || len(f.starts) > 0 }

// begins reports whether content starts as that of the format does.
func (f *foreign) begins(head, text []byte) bool {
	return f.is != nil && f.is(text) || f.like != "" && regexp.MustCompile(f.like).Match(text) ||
		slices.ContainsFunc(f.starts, func(start string) bool { return bytes.HasPrefix(head, []byte(start)) })
}

func (f *foreign) refuse(name string, line func(*foreign) string) error {
	return &lines.Error{File: name, Msg: fmt.Sprintf("%s, which is not read; %s", f.what, with(line(f), name))}
}

// with returns the line that converts a file, with its name.
func with(convert, name string) string {
	return strings.ReplaceAll(convert, "FILE", fmt.Sprintf("%q", name))
}

// isSVM is how a file of libsvm starts: a number, and pairs of an index and a number, which no line of labels has.
var isSVM = regexp.MustCompile(`^(#[^\n]*\n)*[-+]?[0-9.]+( qid:[0-9]+)?( [0-9]+:[-+.0-9eE]+){2,}\s*[\n#]`)

// CheckLabels refuses labels in a format of graphs, in JSON, or in one that other programs write.
func CheckLabels(name string, head []byte) error {
	text := lines.TrimMark(head)
	refuse := func(what, convert string) error {
		return &lines.Error{File: name, Msg: what + ", expected labels: lines of the form id label [weight]; " + with(cmp.Or(convert, "write such a line for each labelled node"), name)}
	}
	for _, f := range foreigners {
		if f.like != "" && regexp.MustCompile(f.like).Match(text) {
			return refuse(f.what, ofLabels(&f))
		}
	}
	if isSVM.Match(text) {
		return refuse("a libsvm file", `in a shell: awk 'NF && !/^#/ {print n++ "\t" $1}' FILE > labels.tsv, then --missing with the label that says none`)
	}
	switch own, seen := ByContent(head); {
	case seen && own == GraphML:
		return refuse(own.What, `in Python: import networkx as nx, pandas; pandas.DataFrame.from_dict(dict(nx.read_graphml(FILE).nodes(data=True)), orient="index").to_csv("nodes.csv", index_label="id"), then --labels nodes.csv and --label-column with the title`)
	case seen && own != NPZ: // any archive; its bytes are refused
		return refuse(own.What, "")
	}
	return refuseForeign(name, head, true, ofLabels)
}

// table is a matrix as numpy.savetxt writes it.
var table = foreign{
	what:    "a table of numbers",
	convert: `of an adjacency matrix, in Python: import numpy, scipy.sparse; scipy.sparse.save_npz("graph.npz", scipy.sparse.csr_matrix(numpy.loadtxt(FILE))), with delimiter="," if there are commas, then --graph graph.npz; columns of edges are read by --edges`,
}

// isTable reports whether content starts with a line of more than three numbers, as many as an edge has
// not. The line may be cut.
func isTable(head []byte) bool {
	line, _, whole := strings.Cut(string(lines.TrimMark(head)), "\n")
	fields := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r,;", r) })
	if !whole && len(head) == sniffed {
		fields = fields[:max(len(fields)-1, 0)]
	}
	return len(fields) > 3 && !slices.ContainsFunc(fields, func(f string) bool {
		_, err := strconv.ParseFloat(f, 64)
		return err != nil
	})
}

// toUTF8 converts text in UTF-16.
var toUTF8 = "in a shell: " + lines.ToUTF8("UTF-16") + " FILE > OUT, with the same ending for OUT"

// isUTF16 reports whether content starts as text in UTF-16 with its mark does.
func isUTF16(text []byte) bool {
	return len(text) > 3 && (string(text[:2]) == "\xff\xfe" && text[2] != 0 && text[3] == 0 || string(text[:2]) == "\xfe\xff" && text[2] == 0 && text[3] != 0)
}

// isLGL reports whether text is a list of neighbours below each node, as LGL has it: lines "# a" that
// an edge list would take for comments, and below each the neighbours, alone or with a weight. A
// later "# b" must name a node that stood there as a neighbour.
func isLGL(text []byte) bool {
	all := strings.Split(string(text), "\n")
	neighbours := map[string]bool{}
	for k, line := range all[:len(all)-1] { // the last may be cut
		fields := strings.Fields(line)
		switch {
		case len(fields) == 2 && fields[0] == "#":
			if neighbours[fields[1]] {
				return true
			}
			continue
		case k == 0 || len(fields) == 0 || len(fields) > 2:
			return false
		case len(fields) == 2:
			if _, err := lines.ParseWeight([]byte(fields[1])); err != nil {
				return false
			}
		}
		neighbours[fields[0]] = true
	}
	return false
}
