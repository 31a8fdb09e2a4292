package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"net/http"
	"os"
	"unicode/utf8"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// Items are what the nodes stand for: texts, and a picture in a file or of the node's vector. They
// are filled in before a server has them, and not changed after.
type Items struct {
	Titles []string // of the texts
	// Root is the folder of the pictures, out of which no path leads; nil for none.
	Root *os.Root

	texts  []json.RawMessage // an array of strings a node, nil where it has no item
	paths  []string          // of pictures under Root
	pixels pixels
	bytes  int64
}

// NewItems returns items of n nodes, without any.
func NewItems(n int) *Items {
	return &Items{texts: make([]json.RawMessage, n), paths: make([]string, n), bytes: 40 * int64(n)}
}

// MostText is the most bytes of a text that are shown.
const MostText = 20_000

// Set gives a node its texts, in the order of the titles, and the path of its picture, "" for none.
func (x *Items) Set(node int, texts []string, path string) {
	shown := make([]string, len(texts))
	for k, text := range texts {
		if len(text) > MostText {
			cut := MostText
			for !utf8.RuneStart(text[cut]) {
				cut--
			}
			text = fmt.Sprintf("%s… (%d bytes more)", text[:cut], len(text)-cut)
		}
		shown[k] = text
	}
	x.texts[node], _ = json.Marshal(shown) // strings always can be
	x.paths[node] = path
	x.bytes += int64(len(x.texts[node]) + len(path))
}

// HasTexts reports whether a node was set.
func (x *Items) HasTexts(node int) bool { return x.texts[node] != nil }

// Has reports whether a node has an item.
func (x *Items) Has(node int) bool { return x.HasTexts(node) || x.pixels.row(node) != nil }

// inFile reports whether a node has a path of a picture, and a folder that it is in.
func (x *Items) inFile(node int) bool { return x.Root != nil && x.paths[node] != "" }

// Bytes is the memory that the items take; nil ones take none.
func (x *Items) Bytes() int64 {
	if x == nil {
		return 0
	}
	return x.bytes
}

// Shape is that of a picture. Its values come row by row, the channels of a point together; or by
// columns, one channel after the other, as MATLAB has them.
type Shape struct {
	Height, Width, Channels int
	Columns                 bool
}

// place returns where value k of a picture by rows is.
func (s Shape) place(k int) int {
	if !s.Columns {
		return k
	}
	at, channel := k/s.Channels, k%s.Channels
	return (channel*s.Width+at%s.Width)*s.Height + at/s.Width
}

// Size is the number of values of a picture.
func (s Shape) Size() int { return s.Height * s.Width * s.Channels }

// pixels are pictures of one shape. A picture is rows of points of 1 or 3 channels.
type pixels struct {
	Shape
	values []byte
	has    []bool
}

func (p *pixels) row(node int) []byte {
	if p.has == nil || !p.has[node] {
		return nil
	}
	size := p.Size()
	return p.values[node*size : (node+1)*size]
}

// SetPixels makes the rows of x, whose nodes are given, pictures: the least value of all is black,
// the largest white. The rows must have as many columns as the shape has values.
func (x *Items) SetPixels(shape Shape, rows *csr.Dense, nodes []int) {
	if rows.Cols != shape.Size() || rows.Rows != len(nodes) {
		panic(fmt.Sprintf("service: %d×%d pixels of shape %v for %d nodes", rows.Rows, rows.Cols, shape, len(nodes)))
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, v := range rows.Data {
		least, most = min(least, float64(v)), max(most, float64(v))
	}
	scale := 0.0
	if most > least {
		scale = 255 / (most - least)
	}
	n := len(x.texts)
	x.pixels = pixels{shape, make([]byte, n*shape.Size()), make([]bool, n)}
	x.bytes += int64(n) * int64(shape.Size()+1)
	for r, node := range nodes {
		x.pixels.has[node] = true
		to, from := x.pixels.row(node), rows.Row(r)
		for k := range to {
			to[k] = byte(math.Round((float64(from[shape.place(k)]) - least) * scale))
		}
	}
}

// png returns the picture of a node.
func (p *pixels) png(node int) ([]byte, error) {
	values := p.row(node)
	picture := image.NewNRGBA(image.Rect(0, 0, p.Width, p.Height))
	for at := range p.Width * p.Height {
		for k := range 3 {
			picture.Pix[4*at+k] = values[at*p.Channels+k%p.Channels]
		}
		picture.Pix[4*at+3] = 0xff
	}
	var to bytes.Buffer
	err := png.Encode(&to, picture)
	return to.Bytes(), err
}

type itemRecord struct {
	Node    string          `json:"node"`
	Texts   json.RawMessage `json:"texts"`
	Picture bool            `json:"picture"`
}

// items answers with the texts of nodes, and whether they are given pictures. No file is opened for that:
// /v1/picture says where one is missing or cannot be shown.
func (s *Server) items(r *http.Request) (any, error) {
	names := r.URL.Query()["node"]
	if len(names) == 0 {
		return nil, faultf(http.StatusBadRequest, "no node, expected node=NAME one to %d times", mostListed)
	}
	x := s.opt.Items
	out := struct {
		Titles []string     `json:"titles"`
		Items  []itemRecord `json:"items"`
	}{[]string{}, []itemRecord{}}
	if x != nil {
		out.Titles = append(out.Titles, x.Titles...)
	}
	for _, name := range names {
		i, err := s.find(name)
		if err != nil {
			return nil, err
		}
		record := itemRecord{name, json.RawMessage("[]"), false}
		if x != nil {
			if x.texts[i] != nil {
				record.Texts = x.texts[i]
			}
			record.Picture = x.inFile(i) || x.pixels.row(i) != nil
		}
		out.Items = append(out.Items, record)
	}
	return out, nil
}

// mostPicture is the most bytes of a picture.
const mostPicture = 16 << 20

// pictureKinds are those that browsers draw and that cannot hold a program.
var pictureKinds = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true, "image/bmp": true}

// picture answers with the picture of a node.
func (s *Server) picture(r *http.Request) (any, error) {
	i, err := s.named(r)
	if err != nil {
		return nil, err
	}
	x, name := s.opt.Items, lines.Quote([]byte(r.URL.Query().Get("node")))
	switch {
	case x != nil && x.inFile(i):
	case x != nil && x.pixels.row(i) != nil:
		content, err := x.pixels.png(i)
		return file{kind: "image/png", content: content}, err
	default:
		return nil, faultf(http.StatusNotFound, "node %s has no picture", name)
	}
	f, err := x.Root.Open(x.paths[i])
	if err != nil {
		return nil, faultf(http.StatusNotFound, "picture of node %s: %v", name, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, faultf(http.StatusNotFound, "picture of node %s: %s is no file", name, lines.Quote([]byte(x.paths[i])))
	}
	content, err := io.ReadAll(io.LimitReader(f, mostPicture+1))
	if err != nil {
		return nil, err
	}
	kind := http.DetectContentType(content)
	switch {
	case len(content) > mostPicture:
		return nil, faultf(http.StatusNotFound, "picture of node %s: more than %d bytes", name, mostPicture)
	case !pictureKinds[kind]:
		return nil, faultf(http.StatusNotFound, "picture of node %s: %s, expected PNG, JPEG, GIF, WebP or BMP", name, kind)
	}
	return file{kind: kind, content: content}, nil
}
