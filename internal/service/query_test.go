package service

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestQueries: a query that is not understood in whole is refused with what was found and
// expected; it was answered as if that had not been there.
func TestQueries(t *testing.T) {
	_, c := start(t, newProblem(t, false).graphs, Options{})
	for _, test := range []struct {
		method, address string
		code            int
		says            string
	}{
		{"GET", "/v1/suggest?count=2;x", 400, `query \"count=2;x\": invalid semicolon separator in query, expected NAME=VALUE`},
		{"GET", "/v1/nodes?prefix=%zz&count=2", 400, `query \"prefix=%zz\u0026count=2\": invalid URL escape \"%zz\"`},
		{"GET", "/v1/nodes?" + strings.Repeat("prefix=%", 1000), 400, "…: invalid URL escape"},
		{"GET", "/v1/suggest?count=1&count=9", 400, "count is given 2 times, expected once"},
		{"GET", "/v1/suggest?cuont=1", 400, `parameter \"cuont\", expected count"`},
		{"GET", "/v1/suggest?Count=1", 400, `parameter \"Count\", expected count"`},
		{"GET", "/v1/suggest?%1b" + strings.Repeat("x", 1000), 400, `xxx\"…, expected count"`},
		{"GET", "/v1/suggest?=1", 400, `parameter \"\", expected count"`},
		{"GET", "/v1/suggest?count=", 400, `count=\"\", expected 1 to 100`},
		{"GET", "/v1/suggest?count", 400, `count=\"\", expected 1 to 100`},
		{"GET", "/v1/nodes?prefix=a&prefix=b", 400, "prefix is given 2 times, expected once"},
		{"GET", "/v1/predict?nodes=n01", 400, `parameter \"nodes\", expected node"`},
		{"GET", "/v1/explain?node=n01&count=3", 400, `parameter \"count\", expected node or top"`},
		{"GET", "/v1/explain?node=n01&node=n01", 400, "node is given 2 times, expected once"},
		{"GET", "/v1/neighbors?node=n01&top=2&top=2", 400, "top is given 2 times, expected once"},
		{"GET", "/v1/status?node=n01", 400, `parameter \"node\", expected none"`},
		{"GET", "/v1/labels?node=n01", 400, `parameter \"node\", expected none"`},
		{"POST", "/v1/labels?node=n01", 400, `parameter \"node\", expected none"`},
		{"GET", "/v1/suggest?", 200, "nodes"},
		{"GET", "/v1/suggest?&count=2&", 200, "nodes"},
		{"GET", "/v1/suggest?count=%202", 200, "nodes"},
		{"GET", "/v1/nodes?prefix=&count=2", 200, "n01"},
		{"GET", "/v1/nodes?prefix=%3Cimg%20src%3Dx+", 200, "onerror"},
		{"GET", "/v1/predict?node=n01&node=n01", 200, "n01"},
	} {
		w := c.do(test.method, test.address, "")
		if w.Code != test.code || !strings.Contains(w.Body.String(), test.says) || w.Body.Len() > 400 && w.Code == 400 {
			t.Errorf("%s %.60s: %d %.300s, expected %d, %s", test.method, test.address, w.Code, w.Body, test.code, test.says)
		}
	}
}

// TestQueriesDescribed: the description names the parameters that there are, and how often
// each may be given.
func TestQueriesDescribed(t *testing.T) {
	_, c := start(t, newProblem(t, false).graphs, Options{})
	var d document
	c.get("/openapi.json", &d.root)
	for address := range d.at("paths").(map[string]any) {
		for method := range d.at("paths", address).(map[string]any) {
			takes := parameters{}
			for _, p := range list(d.at("paths", address, method, "parameters")) {
				p := p.(map[string]any)
				if ref, ok := p["$ref"].(string); ok {
					p = d.at(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...).(map[string]any)
				}
				takes[p["name"].(string)] = 1
				if most, ok := p["schema"].(map[string]any)["maxItems"].(float64); ok {
					takes[p["name"].(string)] = int(most)
				}
			}
			refused := func(query, says string) {
				if w := c.do(strings.ToUpper(method), address+"?"+query, ""); w.Code != 400 || !strings.Contains(w.Body.String(), says) {
					t.Errorf("%s %s?%.40s: %d %s, expected %s", method, address, query, w.Code, w.Body, says)
				}
			}
			refused("other=1", "expected "+takes.String()+`"`)
			for name, most := range takes {
				refused(strings.Repeat("&"+name+"=1", most+1), fmt.Sprintf("%s is given %d times", name, most+1))
			}
		}
	}
}

// TestQueriesOfPage: what the page asks for is taken.
func TestQueriesOfPage(t *testing.T) {
	_, c := start(t, newProblem(t, false).graphs, Options{Items: someItems(t)})
	values := map[string]string{"node": "n01", "prefix": "", "label: name": "red", "least": "0.1", "count: Math.min(100": "5"}
	asked := map[string]bool{}
	for _, file := range []string{"app", "base", "items", "evidence", "map"} {
		text, err := os.ReadFile("page/" + file + ".js")
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`ask\("v1/([\w/]+\??)"(?: \+ (query|several|new URLSearchParams)\((?:\{ (.*?) \})?)?`).FindAllStringSubmatch(string(text), -1) {
			query := map[string]string{"several": "&node=n01&node=n02", "new URLSearchParams": map[string]string{"nodes?": "&at=1&at=2", "predict?": "&node=n01"}[m[1]]}[m[2]]
			for _, field := range strings.FieldsFunc(m[3], func(r rune) bool { return r == ',' }) {
				name, value, given := strings.Cut(strings.TrimSpace(field), ": ")
				if known, ok := values[strings.TrimSpace(field)]; ok {
					name, value = strings.Split(name, ":")[0], known
				} else if !given {
					continue // the rest of an expression
				}
				query += "&" + name + "=" + value
			}
			asked[m[1]+query] = true
			address := "/v1/" + m[1] + query
			w := c.do("GET", address, "")
			if m[1] == "map/places" { // it may not be ready
				continue
			}
			if w.Code != http.StatusOK {
				t.Errorf("%s: %d %s", m[0], w.Code, w.Body)
			}
		}
	}
	want := []string{
		"candidates?&label=red&least=0.1&count=60", "candidates?&least=0.1&count=60", "explain?&node=n01&top=8", "items?&node=n01&node=n02", "labels", "map", "map/labels", "map/places",
		"neighbors?&node=n01&top=14", "nodes?&at=1&at=2", "nodes?&prefix=&count=12", "picture?&node=n01", "predict?&node=n01", "status", "suggest?&count=5",
	}
	if got := slices.Sorted(maps.Keys(asked)); !slices.Equal(got, want) {
		t.Errorf("the page asks for %q, expected %q", got, want)
	}
}
