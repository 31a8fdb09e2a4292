package service

import (
	"bytes"
	"encoding/json"
	"image/png"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// someItems are items of the nodes of newProblem: of n01 a text, a long one and a picture in a file, of
// n02 a path out of the folder, of n03 a file that is no picture, of n04 one that is not there, and of
// n62 pixels.
func someItems(t *testing.T) *Items {
	t.Helper()
	x, dir := NewItems(64), t.TempDir()
	x.Titles = []string{"title", "text"}
	pixels := csr.NewDense(1, 6)
	copy(pixels.Data, []float32{-1, 1, 0, 1, 1, 1})
	x.SetPixels(Shape{Height: 1, Width: 2, Channels: 3}, pixels, []int{62})
	picture, err := x.pixels.png(62)
	if err != nil {
		t.Fatal(err)
	}
	inside := filepath.Join(dir, "inside")
	for name, text := range map[string][]byte{"inside/a.png": picture, "secret.png": picture, "inside/b.png": []byte("<svg xmlns='http://www.w3.org/2000/svg'/>")} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../secret.png", filepath.Join(inside, "link.png")); err != nil {
		t.Skip(err)
	}
	if x.Root, err = os.OpenRoot(inside); err != nil {
		t.Fatal(err)
	}
	root := x.Root
	t.Cleanup(func() { root.Close() })
	x.Set(1, []string{hostile, strings.Repeat("ä", MostText)}, "a.png")
	x.Set(2, nil, "../secret.png")
	x.Set(3, nil, "b.png")
	x.Set(4, nil, "none.png")
	x.Set(6, nil, "link.png")
	return x
}

// TestItems: texts come as they are but for their length, pictures of files and of pixels as
// pictures, and nothing else that lies on the disk.
func TestItems(t *testing.T) {
	p := newProblem(t, false)
	_, c := start(t, p.graphs, Options{Items: someItems(t)})
	var r struct {
		Titles []string
		Items  []struct {
			Node    string
			Texts   []string
			Picture bool
		}
	}
	if c.get("/v1/items?node=n04", &r); !r.Items[0].Picture {
		t.Error("a path to no file is not called a picture, and nobody asks why it is missing")
	}
	c.get("/v1/items?node=n01&node=n62&node=n33", &r)
	if len(r.Items) != 3 || len(r.Titles) != 2 || r.Items[0].Texts[0] != hostile || !r.Items[0].Picture || !r.Items[1].Picture || r.Items[2].Picture || len(r.Items[2].Texts) != 0 {
		t.Errorf("%.300v", r)
	}
	if text := r.Items[0].Texts[1]; len(text) > MostText+50 || !strings.HasSuffix(text, "ä… (20000 bytes more)") {
		t.Errorf("%d bytes, …%s", len(text), text[len(text)-40:])
	}
	w := c.do("GET", "/v1/picture?node=n62", "")
	picture, err := png.Decode(bytes.NewReader(w.Body.Bytes()))
	if err != nil || w.Header().Get("Content-Type") != "image/png" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Fatal(err, w.Header())
	}
	if r, g, b, _ := picture.At(0, 0).RGBA(); r != 0 || g != 0xffff || b>>8 != 128 {
		t.Errorf("%x %x %x", r, g, b)
	}
	for node, want := range map[string]struct {
		code int
		says string
	}{
		"n01": {200, "PNG"}, "n02": {404, "escapes"}, "n03": {404, "expected PNG"}, "n04": {404, "none.png"}, "n06": {404, "escapes"}, "n33": {404, "has no picture"}, "n99": {404, "not in the graph"},
	} {
		if w := c.do("GET", "/v1/picture?node="+node, ""); w.Code != want.code || !strings.Contains(w.Body.String(), want.says) {
			t.Errorf("%s: %d %.100s, expected %d, %s", node, w.Code, w.Body, want.code, want.says)
		}
	}
	_, closed := start(t, p.graphs, Options{Items: someItems(t), Token: "correct-horse-battery"})
	if w := closed.do("GET", "/v1/picture?node=n01", ""); w.Code != http.StatusUnauthorized {
		t.Errorf("without a token: %d", w.Code)
	}
	rootless := someItems(t)
	rootless.Root = nil
	_, without := start(t, p.graphs, Options{Items: rootless})
	if without.get("/v1/items?node=n01", &r); r.Items[0].Picture {
		t.Error("a path without a folder is called a picture")
	}
	_, none := start(t, p.graphs, Options{})
	var text json.RawMessage
	if none.get("/v1/items?node=n01", &text); string(text) != `{"titles":[],"items":[{"node":"n01","texts":[],"picture":false}]}` {
		t.Errorf("%s", text)
	}
}

// TestColumns: pictures by columns are turned.
func TestColumns(t *testing.T) {
	x, rows := NewItems(1), csr.NewDense(1, 12)
	for k := range rows.Data {
		rows.Data[k] = float32(k)
	}
	shape := Shape{Height: 2, Width: 3, Channels: 2, Columns: true}
	x.SetPixels(shape, rows, []int{0})
	for r := range 2 {
		for c := range 3 {
			for k := range 2 {
				if got, want := x.pixels.row(0)[(r*3+c)*2+k], byte(math.Round(255.0/11*float64(k*6+c*2+r))); got != want {
					t.Errorf("row %d, column %d, channel %d: %d, expected %d", r, c, k, got, want)
				}
			}
		}
	}
}
