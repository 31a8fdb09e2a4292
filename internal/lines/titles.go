package lines

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// EdgeTitles are pairs of titles, in small letters, that the columns of the two ends of edges often
// have.
var EdgeTitles = [][2]string{
	{"src", "dst"},
	{"source", "target"},
	{"from", "to"},
	{"node1", "node2"},
	{"node_1", "node_2"},
	{"id1", "id2"},
	{"id_1", "id_2"},
	{"fromnodeid", "tonodeid"},
	{"head", "tail"},
	{"start_id", "end_id"},
}

// idTitles and classTitles are titles, in small letters, of columns of node ids and of labels.
var (
	idTitles    = []string{"id", "node", "node_id", "nodeid", "node id", "vertex", "vertex_id", "user", "user_id", "userid", "uid", "index", "idx", "name"}
	classTitles = []string{"label", "labels", "class", "cls", "y", "target", "category", "community", "group", "truth", "ground_truth", "node_label", "class_label", "label_id"}
)

// Title returns a title in small letters, without the sign of a comment before it. Of neo4j's titles,
// such as name:START_ID(Person) and weight:double, it returns start_id and weight.
func Title(field []byte) string {
	title := strings.ToLower(string(bytes.TrimLeft(field, "#% ")))
	name, kind, _ := strings.Cut(title, ":")
	switch kind, _, _ = strings.Cut(kind, "("); kind {
	case "id", "start_id", "end_id":
		return kind
	case "float", "double", "int", "long", "string":
		return name
	}
	return title
}

// FindEnds returns the columns of the first pair of EdgeTitles that titles have, as they stand or else as
// [Title] has them, and false if there is none.
func FindEnds(titles []string) (src, dst int, ok bool) {
	plain := make([]string, len(titles))
	for k, title := range titles {
		plain[k] = Title([]byte(title))
	}
	for _, among := range [][]string{titles, plain} {
		for _, pair := range EdgeTitles {
			src, dst = slices.Index(among, pair[0]), slices.Index(among, pair[1])
			if src >= 0 && dst >= 0 {
				return src, dst, true
			}
		}
	}
	return 0, 0, false
}

// AreEdgeTitles reports whether two fields are titles of the ends of edges.
func AreEdgeTitles(a, b []byte) bool {
	return slices.Contains(EdgeTitles, [2]string{Title(a), Title(b)})
}

// AreLabelTitles reports whether two fields are titles of node ids and labels.
func AreLabelTitles(id, label []byte) bool {
	return slices.Contains(idTitles, Title(id)) && IsLabelTitle(label)
}

// mixedTitles are those of idTitles that columns of numbers have too: the vertex of a track, the time
// of a user beside that of the system.
var mixedTitles = []string{"vertex", "user", "name"}

// IsIDTitle reports whether the title of a column says plainly that it holds ids.
func IsIDTitle(field []byte) bool {
	return slices.Contains(idTitles, Title(field)) && !MayBeIDTitle(field)
}

// IsIndexTitle reports whether the title of a column of ids is that of a number of each row, too.
func IsIndexTitle(field []byte) bool {
	title := Title(field)
	return title == "index" || title == "idx"
}

// MayBeIDTitle reports whether a column with this title holds ids where its values look like them: one of mixedTitles,
// or one that ends as customer_id, Customer ID and customerId do.
func MayBeIDTitle(field []byte) bool {
	title := Title(field)
	if slices.Contains(mixedTitles, title) {
		return true
	}
	before, ends := strings.CutSuffix(title, "id")
	if !ends || before == "" || slices.Contains(idTitles, title) {
		return false
	}
	last, first := before[len(before)-1], field[len(field)-2] // I of ID and Id
	return strings.IndexByte("_ -.", last) >= 0 || first == 'I' && bytes.ToUpper(field)[len(field)-3] != field[len(field)-3]
}

// IsLabelTitle reports whether a field is the title of a column of labels.
func IsLabelTitle(field []byte) bool { return slices.Contains(classTitles, Title(field)) }

// isTitleWord reports whether a word is a title that one of the columns of edges or labels often has.
func isTitleWord(word []byte) bool {
	title := Title(word)
	return slices.Contains(idTitles, title) || slices.Contains(classTitles, title) ||
		slices.ContainsFunc(EdgeTitles, func(pair [2]string) bool { return pair[0] == title || pair[1] == title })
}

// MayWeigh reports whether the title of a column, or of an attribute of edges, suggests weights.
func MayWeigh(title string) bool {
	first, _ := utf8.DecodeRuneInString(title)
	return unicode.IsLetter(first) && (!NoWeight([]byte(title)) || strings.EqualFold(title, "rating"))
}

// users and things are titles, in small letters, of the two kinds of nodes that bipartite tables
// often have.
var (
	users = []string{
		"user", "reader", "customer", "author", "actor", "person", "reviewer", "listener", "viewer", "member", "buyer", "student",
		"account", "borrower", "cardholder", "client", "doctor", "donor", "employee", "investor", "passenger", "patient", "player", "subscriber", "visitor", "voter", "worker",
	}
	things = []string{
		"item", "movie", "film", "product", "book", "song", "track", "artist", "business", "article", "paper", "group", "tag", "event", "restaurant", "course", "page", "isbn", "asin",
		"app", "bill", "board", "club", "committee", "company", "conference", "device", "disease", "drug", "firm", "game", "hashtag", "hospital", "hotel", "ip", "journal", "keyword", "merchant", "party", "project", "recipe", "school", "shop", "sku", "store", "team", "term", "url", "venue", "video", "word",
	}
)

// idEndings are what titles of ids end with, in small letters.
var idEndings = []string{"id", "no", "nr", "number", "key", "code", "name"}

// AreTwoKinds reports whether the titles of the two ends of edges are of different things, such as
// user_id and movieId.
func AreTwoKinds(a, b string) bool {
	a, b = kindOf(a), kindOf(b)
	return slices.Contains(users, a) && slices.Contains(things, b) || slices.Contains(things, a) && slices.Contains(users, b)
}

// kindOf returns what a title of ids is of, such as customer of Customer_ID, customers and CustomerNo.
func kindOf(title string) string {
	title = Title([]byte(title))
	for _, kind := range []string{title, strings.TrimSuffix(title, "s")} {
		if isKind(kind) {
			return kind
		}
	}
	for _, ending := range idEndings {
		before, ends := strings.CutSuffix(title, ending)
		if kind := strings.TrimRight(before, "_- ."); ends && isKind(kind) {
			return kind
		}
	}
	return title
}

func isKind(word string) bool { return slices.Contains(users, word) || slices.Contains(things, word) }
