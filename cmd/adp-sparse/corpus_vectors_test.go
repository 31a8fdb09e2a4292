//go:build unix

package main

import (
	"encoding/binary"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// ofFour is a list of the two neighbours of each of four points as .ivecs or, with numbers in
// place of rows, .fvecs.
func ofFour(words ...uint32) string {
	var b []byte
	for at := 0; at < len(words); at += 2 {
		b = binary.LittleEndian.AppendUint32(b, 2)
		b = binary.LittleEndian.AppendUint32(b, words[at])
		b = binary.LittleEndian.AppendUint32(b, words[at+1])
	}
	return string(b)
}

// neighbours makes a graph of neighbours of four points, and numbers beside them.
func neighbours(flags string, ids []int32, numbers ...float32) given {
	i, d := make([]uint32, len(ids)), make([]uint32, len(ids))
	for k := range ids {
		i[k], d[k] = uint32(ids[k]), math.Float32bits(numbers[k])
	}
	return given{
		args:  "run --neighbors n.ivecs --labels l --method lgc --out out " + flags,
		files: map[string]string{"n.ivecs": ofFour(i...), "d.fvecs": ofFour(d...), "l": "0 A\n2 B\n"},
	}
}

// pointsOf runs on features, with labels of two of the points.
func pointsOf(name, text, labels string, more ...string) given {
	args := append([]string{"run --k 1 --method lgc --labels l --out out --features", name}, more...)
	return given{args: strings.Join(args, " "), files: map[string]string{name: text, "l": labels}}
}

// scored compares predictions with the truth; both are a label a node.
func scored(predicted, truth string, more ...string) given {
	p, t := "node\tlabel\tconfidence\tmargin\tstatus\n", ""
	for k, label := range strings.Split(predicted, ",") {
		p += string(rune('a'+k)) + "\t" + label + "\t0.9\t0.8\tpredicted\n"
	}
	for k, label := range strings.Split(truth, ",") {
		t += string(rune('a'+k)) + "\t" + label + "\n"
	}
	args := append([]string{"eval --predictions p.tsv --truth t.tsv"}, more...)
	return given{args: strings.Join(args, " "), files: map[string]string{"p.tsv": p, "t.tsv": t}}
}

// vectorCases are vectors, lists of neighbours and labels that other programs write, and names of
// classes that do not go together.
func vectorCases(t *testing.T) []trouble {
	const words = "4 3\ncat 1 0 0.1\ndog 0.9 0.1 0\ncar 0 1 0\nbus 0.1 0.9 0.1\n"
	const catCar = "cat\tA\ncar\tB\n"
	const four = "1.5,2\n1,2\n8,9\n8,8\n"
	ids, near := []int32{1, 2, 0, 2, 3, 1, 2, 1}, []float32{1, 5, 1, 5, 1, 5, 1, 5}
	padded, most := []int32{1, -1, 0, -1, 3, -1, 2, -1}, float32(math.MaxFloat32)
	inf := float32(math.Inf(1))
	byColumn := func(header []byte, elements string) given {
		return pointsOf("x.csv", four, string(header)+elements)
	}
	eights := func(values ...int64) string {
		var b []byte
		for _, v := range values {
			b = binary.LittleEndian.AppendUint64(b, uint64(v))
		}
		return string(b)
	}
	doubles := func(values ...float64) string {
		var b []byte
		for _, v := range values {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		return string(b)
	}
	return []trouble{
		{"eval: 1.0 for 1", scored("1.0,2.0", "1,2"), 0, `warning [similar-labels]: labels: 2 pairs of labels alike but for spelling kept as two classes (the first: "1 / 1.0"); if they mean the same, --match number makes them one … accuracy      0.0000`},
		{"eval: 1.0 for 1, joined", scored("1.0,2.0", "1,2", "--match number"), 0, "accuracy      1.0000"},
		{"eval: letter case", scored("Red,blue", "red,Blue"), 0, "warning [similar-labels] … --match case makes them one"},
		{"eval: letter case, joined", scored("Red,blue", "red,Blue", "--match case"), 0, "accuracy      1.0000"},
		{"eval: case and numbers", scored("A,1.0", "a,1", "--match number,case"), 0, "accuracy      1.0000"},
		{"eval: codes from 0 and from 1", scored("0,1,2", "1,2,3"), 0, `warning [shifted-labels]: labels: 3 predicted labels shifted against the true ones (the first: "0 for 1"); scores compare numbers as they are: give both files the same, which differ by 1`},
		{"eval: other names", scored("0,1", "cat,dog"), 0, `warning [foreign-labels]: labels: 2 predicted labels not found among the true ones (the first: "0, of the truth cat"); no prediction can be right`},
		{"eval: exchanged names", scored("1,1,0,0", "0,0,1,1"), 0, "warning [renamed-labels]"},
		{"eval: a warning in the JSON", scored("0,1,2", "1,2,3", "--json"), 0, `"code": "shifted-labels"`},
		{"eval: several labels, letter case", scored("Red,blue", "red,Blue", "--multilabel --json"), 0, `"code": "similar-labels"`},
		{"eval: true labels of other nodes", scored("a,b", "a,b,a"), 0, "0 without a label; 1 true labels of nodes without a row)"},
		{"eval: what the truth leaves out", given{args: "eval --predictions p.tsv --truth y.npy", files: map[string]string{
			"p.tsv": "node\tlabel\tconfidence\tmargin\tstatus\n0\t1\t.9\t.8\tpredicted\n1\t0\t.9\t.8\tpredicted\n",
			"y.npy": string(npy.AppendHeader(nil, "<f8", 2)) + doubles(1, math.NaN()),
		}}, 0, `read          labels: 1 label that is -1 or nan read as none (the first: "element 1"); 1 floating-point label read as a whole number, of the truth`},
		{"eval: a match that is none", scored("a,b", "a,b", "--match blanks"), 2, "--match blanks, expected exact, number, case, or number,case"},
		{"labels: 1 and 1.0", seeds("a 1\nb 1.0\nd 2\n"), 0, `read    labels: 1 pair of labels alike but for spelling kept as two classes (the first: "1 / 1.0") … warning [similar-labels]`},
		{"labels: 1 and 1.0, joined", seeds("a 1\nb 1.0\nd 2\n", "--match number"), 0, `read    labels: 1 label taken for the class of another spelling (the first: line 2, "1.0")`},
		{"labels: letter case in a csv file", csvLabels("id,kind\na,x\nb,X\nd,y\n"), 0, "warning [similar-labels] … --match case makes them one"},
		{"labels: 1 and 1.0 in tune", given{args: "tune --edges g --labels s --methods lgc --alphas 0.9", files: map[string]string{"s": "a 1\nb 1.0\nc 1\nd 1.0\n"}}, 0, "warning [similar-labels] … --match number"},
		{"labels: 1 and 1.0 in suggest", given{args: "suggest --edges g --labels s --count 1", files: map[string]string{"s": "a 1\nb 1.0\n"}}, 0, "warning [similar-labels] … --match number"},
		{"labels: 1 and 1.0 in explain", given{args: "explain --edges g --labels s --node c", files: map[string]string{"s": "a 1\nb 1.0\n"}}, 0, "warning [similar-labels] … --match number"},
		{"labels: 1 and 1.0 in inspect", given{args: "inspect --edges g --labels s", files: map[string]string{"s": "a 1\nb 1.0\n"}}, 0, "1 pair of labels alike but for spelling"},
		{"labels: a match without labels", command("inspect --edges g --match case"), 2, "--match is for --labels"},

		{"y: a column", byColumn(npy.AppendHeader(nil, "<i8", 4, 1), eights(0, -1, 1, -1)), 0, `seeds     2 in 2 classes … read      labels: 2 labels that are -1 or nan read as none (the first: "element 1")`},
		{"y: a row", byColumn(npy.AppendHeader(nil, "<i8", 1, 4), eights(0, -1, 1, -1)), 1, "l: shape (1, 4), expected a 1-D array of labels, one a node: save y.ravel()"},
		{"y: one-hot", byColumn(npy.AppendHeader(nil, "<i8", 4, 2), eights(0, 1, 0, 1, 1, 0, 1, 0)), 1, "l: shape (4, 2), expected a 1-D array of labels, one a node; of rows with a 1 in the column of their class: save y.argmax(axis=1)"},
		{"y: truth values", byColumn(npy.AppendHeader(nil, "|b1", 4), "\x00\x00\x01\x01"), 0, "seeds     4 in 2 classes … 4 truth values read as the class true or false"},
		{"y: whole fractions and nan", byColumn(npy.AppendHeader(nil, "<f8", 4), doubles(1, math.NaN(), 2, math.NaN())), 0, "seeds     2 in 2 classes … 2 labels that are -1 or nan read as none … 2 floating-point labels read as a whole number"},
		{"y: -1 beside 1", byColumn(npy.AppendHeader(nil, "<i8", 4), eights(1, -1, 1, -1)), 0, "warning [no-labels] … if -1 is a class beside 1, save them as text: y.astype(str)"},
		{"y: objects", byColumn(npy.AppendHeader(nil, "|O", 4), "\x80\x04."), 1, `l: dtype "|O" holds pickled objects, which are never read`},
		{"y: an archive", given{args: "run --features x.csv --labels y.npz --out out", files: map[string]string{"x.csv": four, "y.npz": "PK\x03\x04"}}, 2, `y.npz is an archive of arrays, and labels are one vector: save them with numpy.save("y.npy", y)`},

		{"words: word2vec as .txt", pointsOf("v.txt", words, catCar), 1, "v.txt:2: 4 columns, expected 2 as in the first line; if the first line has the counts of names and numbers, as word2vec writes them, say --format vec"},
		{"words: word2vec as .txt, with the format", pointsOf("v.txt", words, catCar, "--format vec"), 0, "4 points of 3 dimensions"},
		{"words: word2vec as .tsv with ids", pointsOf("v.tsv", words, catCar, "--id-column 1"), 1, "say --format vec"},
		{"words: .vec", pointsOf("v.vec", words, catCar), 0, "4 points of 3 dimensions"},
		{"words: .vec cut", pointsOf("v.vec", words[:len(words)-len("bus 0.1 0.9 0.1\n")], catCar), 1, "v.vec: 3 rows, expected 4 as the first line says"},
		{"words: .vec with a column of ids", pointsOf("v.vec", words, catCar, "--id-column 1"), 2, "--id-column is for features in a csv file; v.vec is .vec"},
		{"words: .vec with names", pointsOf("v.vec", words, catCar, "--nodes l"), 2, "--nodes names the points, and v.vec has names of its own; say one"},
		{"words: GloVe with # and quotes", pointsOf("v.txt", "\" 1 0\n# .9 .1\n. . . 0 1\n1 .1 .9\n", "\"\tA\n1\tB\n", "--format glove"), 0, "4 points of 2 dimensions"},
		{"words: GloVe with blanks as a table", pointsOf("v.txt", "a 1 0\nb .9 .1\n. . . 0 1\n", "a\tA\nb\tB\n", "--id-column 1"), 1, "v.txt:3: 5 columns, expected 3 as in the first line; if names have blanks in them, as those of GloVe, say --format glove in place of --id-column"},
		{"words: one number a word as a table", pointsOf("v.txt", "3 1\na 1\nb 2\nc 5\n", "a\tA\nb\tB\n", "--id-column 1"), 1, "as the counts of names and numbers that word2vec writes: say --format vec"},
		{"words: labels by row", given{args: "run --k 1 --method lgc --features v.vec --labels y.npy --out out", files: map[string]string{"v.vec": words, "y.npy": string(npy.AppendHeader(nil, "<i8", 4)) + eights(0, -1, 1, -1)}}, 0, "seeds     2 in 2 classes"},

		{"libsvm: qid", pointsOf("x.libsvm", "1 qid:1 1:.5 2:1\n2 qid:1 1:3 2:3\n1 qid:2 1:.4 2:.2\n", "0 A\n1 B\n"), 0, `read      features: 3 attributes ignored (the first: line 1, "qid:1"); 1 column ignored (the first: "label")`},
		{"libsvm: indices from 0", pointsOf("x.libsvm", "1 0:.5 1:1\n2 0:3 1:3\n1 0:.4 1:.2\n", "0 A\n1 B\n"), 0, "3 points of 2 dimensions … 3 rows with index 0 read: indices count from 0 (the first: line 1)"},
		{"libsvm: qid after an entry", pointsOf("x.libsvm", "1 1:.5 qid:1\n", "0 A\n"), 1, `x.libsvm:1: index "qid", expected a whole number`},

		{"neighbours: -1 as faiss has it", neighbours("--distances d.fvecs", padded, 1, most, 1, most, 1, most, 1, most), 0, `read    features: 4 places without a neighbour skipped (the first: "row 0, column 1")`},
		{"neighbours: -1 as pynndescent has it", neighbours("--distances d.fvecs", padded, 1, inf, 1, inf, 1, inf, 1, inf), 0, "4 places without a neighbour skipped"},
		{"neighbours: an infinite distance", neighbours("--distances d.fvecs", ids, 1, inf, 1, inf, 1, inf, 1, inf), 1, "d.fvecs: row 0, column 1: value +Inf, expected a finite number: its neighbour is 2, and not -1 for none"},
		{"neighbours: the largest distance", neighbours("--distances d.fvecs", ids, 1, most, 1, 2, 1, 2, 1, 2), 1, "d.fvecs: row 0, column 1: value 3.4028235e+38, which faiss writes where there is no neighbour, but that is 2, expected -1"},
		{"neighbours: the point itself", neighbours("--distances d.fvecs", []int32{0, 1, 1, 0, 2, 3, 3, 2}, 0, 1, 0, 1, 0, 1, 0, 1), 0, `4 neighbours that are the point itself dropped (the first: "row 0, column 0")`},
		{"neighbours: more than there are", neighbours("--distances d.fvecs --k 3", []int32{1, 2, 0, 2, 3, 0, 2, 1}, 1, 2, 1, 2, 1, 2, 1, 2), 2, "--k 3, and n.ivecs has at most 2 neighbours of a point, expected no more"},
		{"neighbours: accepted: some not used", neighbours("--distances d.fvecs --k 1", []int32{1, 2, 0, 2, 3, 0, 2, 1}, 1, 2, 1, 2, 1, 2, 1, 2), 0, "features: 1 neighbour of each point beyond the nearest ones left out"},
		{"vectors: Matrix Market that is compressed", pointsOf("m.mtx.gz", "x", "0 A\n1 B\n"), 1, "m.mtx.gz: a Matrix Market file, which is read as a graph and not as features"},
		{"vectors: accepted: similarities of points", pointsOf("s.csv", "1,2,3,4\n2,5,6,7\n3,6,8,9\n4,7,9,1\n", "0 A\n1 B\n"), 0, `warning [matrix-like-features]: features: 1 symmetric matrix read as features (the first: "4×4"); if they are similarities of the points, give them as --graph`},
		{"neighbours: twice in a row", neighbours("--distances d.fvecs", []int32{1, 1, 0, 0, 3, 3, 2, 2}, 1, 2, 1, 2, 1, 2, 1, 2), 0, `warning [repeated-neighbors]: features: 4 repeated neighbours merged (the first: "row 0, column 1"); the nearest was kept`},
		{"neighbours: inner products", neighbours("--distances d.fvecs", ids, .9, .1, .9, .1, .9, .1, .9, .1), 1, "d.fvecs has similarities, such as inner products: a point's own is the largest, or rows descend; expected distances: say --similarities d.fvecs, with --metric cosine for cosines"},
		{"neighbours: inner products as similarities", neighbours("--similarities d.fvecs", ids, .9, .1, .9, .1, .9, .1, .9, .1), 0, "knn     2 neighbours by ip"},
		{"neighbours: cosines as similarities", neighbours("--similarities d.fvecs --metric cosine", ids, .9, .1, .9, .1, .9, .1, .9, .1), 0, "knn     2 neighbours by cosine"},
		{"neighbours: no cosines", neighbours("--similarities d.fvecs --metric cosine", ids, 9, 1, 9, 1, 9, 1, 9, 1), 1, "d.fvecs: row 0, column 0: similarity 9, expected a cosine, -1 to 1"},
		{"neighbours: distances as similarities", neighbours("--similarities d.fvecs", ids, near...), 1, "d.fvecs has distances: a point's own is the smallest … say --distances d.fvecs"},
		{"neighbours: similarities by distance", neighbours("--similarities d.fvecs --metric l2", ids, near...), 2, "--similarities are by --metric ip (inner products) or cosine; --metric l2 is for --distances"},
		{"neighbours: both", neighbours("--similarities d.fvecs --distances d.fvecs", ids, near...), 2, "--distances and --similarities both say how near the --neighbors are; say one"},
		{"neighbours: squares of distances", func() given {
			g := neighbours("--features x.csv --distances d.fvecs", []int32{1, 2, 0, 2, 1, 0, 2, 1}, 25, 64, 25, 25, 25, 64, 4, 45)
			g.files["x.csv"] = "0,0\n3,4\n0,8\n0,10\n"
			return g
		}(), 1, "d.fvecs has the squares of the distances in x.csv, as faiss and hnswlib return them, expected their roots: numpy.sqrt(D)"},
		{"neighbours: ids from 1", neighbours("--distances d.fvecs", []int32{1, 2, 2, 1, 3, 4, 4, 3}, 0, 1, 0, 1, 0, 1, 0, 1), 1, "n.ivecs: column 0 counts the rows from 1, expected ids from 0: subtract 1 from all"},

		{"features: columns left out are said", pointsOf("x.csv", "p,q,kind\n1,2,a\n1,3,b\n8,9,a\n", "0 A\n2 B\n", "--drop-columns kind"), 0, `read      features: 1 column ignored (the first: "kind")`},
		{"features: columns left out are said by knn", vectors("x.csv", "p,q,kind\n1,2,a\n1,3,b\n8,9,a\n", "--drop-columns kind"), 0, `1 column ignored (the first: "kind")`},
		{"features: a header of numbers", pointsOf("x.csv", "0,1\n"+four, "0 A\n2 B\n"), 0, "warning [numbered-header]: features: 1 first line that counts the columns read as a point … write the file with header=False"},
		{"features: a missing value", vectors("x.csv", "p,q\n1,2\n3,NA\n"), 1, `x.csv:3: column 2: "NA" is not in decimal form, expected a decimal number; for a missing value fill one in, or leave out the row, or the column: --drop-columns "q"`},
		{"features: two columns of one name that name the points", vectors("x.csv", "p,p,q\n1,2,3\n3,4,5\n", "--id-column p"), 1, `x.csv:1: two columns are named "p"; say its number`},
		{"features: names of rows as R has them", vectors("x.tsv", "p\tq\na\t1\t2\nb\t3\t4\n"), 1, "x.tsv:2: 3 columns, expected 2 as in the first line; R leaves out the title above names of rows: write.csv writes it"},
		{"features: whole numbers as .fvecs", vectors("x.fvecs", ofFour(1, 2, 3, 4, 5, 6)), 1, "x.fvecs: most values are below 1e-38, as whole numbers are that are read as float32"},
		{"features: a list of numbers", vectors("x.npy", string(npy.AppendHeader(nil, "<f4", 2))+"\x00\x00\x00\x00\x00\x00\x00\x00"), 1, "x.npy: shape (2,), expected a 2-D array of one row a point: save X.reshape(-1, 1) if each number is a point"},
		{"features: a sparse matrix by columns", vectors("x.npz", archive(t, map[string]string{"format.npy": string(npy.AppendHeader(nil, "|S3")) + "dia", "shape.npy": string(npy.AppendHeader(nil, "<i8", 2)) + eights(4, 4)})), 1, "x.npz: "},
	}
}

// TestNotesOfVectors: docs/errors.md has the codes of the notes of vectors, neighbours and labels.
func TestNotesOfVectors(t *testing.T) {
	documented := read(t, "../../docs/errors.md")
	kinds := regexp.MustCompile(`Kind\{"([a-z0-9-]+)"`).FindAllStringSubmatch(read(t, "../../internal/notes/kinds.go"), -1)
	for _, kind := range kinds {
		if !strings.Contains(documented, "`"+kind[1]+"`") {
			t.Errorf("docs/errors.md lacks %s", kind[1])
		}
	}
	if len(kinds) < 10 {
		t.Errorf("%d kinds", len(kinds))
	}
}
