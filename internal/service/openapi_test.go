package service

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestOpenAPI: the description names the addresses that there are, and each
// answer has the fields, of the kinds, that it says.
func TestOpenAPI(t *testing.T) {
	p := newProblem(t, true)
	_, c := start(t, p.graphs, Options{Items: someItems(t)})
	var d document
	c.get("/openapi.json", &d.root)
	asked := map[string]bool{}
	for _, q := range []struct{ method, address, query, body string }{
		{"get", "/v1/status", "", ""},
		{"get", "/v1/nodes", "?prefix=n", ""},
		{"get", "/v1/predict", "?node=n01&node=n62", ""},
		{"get", "/v1/explain", "?node=n33", ""},
		{"get", "/v1/explain", "?node=n62", ""},
		{"get", "/v1/neighbors", "?node=n33", ""},
		{"get", "/v1/suggest", "", ""},
		{"get", "/v1/candidates", "?label=red&least=0.01", ""},
		{"get", "/v1/items", "?node=n01&node=n62", ""},
		{"get", "/v1/picture", "?node=n62", ""},
		{"get", "/v1/map", "", ""},
		{"get", "/v1/map/places", "", ""},
		{"get", "/v1/map/labels", "", ""},
		{"post", "/v1/labels", "", `{"labels": [{"node": "n33", "label": "violet"}]}`},
		{"get", "/v1/labels", "", ""},
	} {
		what := q.method + " " + q.address
		asked[what] = true
		if q.address == "/v1/map/places" {
			<-c.Handler.(*Server).atlas.ended // the question before began it
		}
		w := c.do(strings.ToUpper(q.method), q.address+q.query, q.body)
		content := d.at("paths", q.address, q.method, "responses", "200", "content")
		if w.Code != 200 || content == nil {
			t.Errorf("%s: %d %s; described: %v", what, w.Code, w.Body, content != nil)
			continue
		}
		kind, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
		media, ok := content.(map[string]any)[kind].(map[string]any)
		if !ok {
			t.Errorf("%s: an answer of type %s is not described", what, kind)
			continue
		}
		if kind != "application/json" {
			continue
		}
		var answer any
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		for _, fault := range d.check(media["schema"], answer, "answer") {
			t.Errorf("%s: %s", what, fault)
		}
	}
	for address, methods := range d.at("paths").(map[string]any) {
		for method := range methods.(map[string]any) {
			if !asked[method+" "+address] {
				t.Errorf("%s %s is described, but not asked here", method, address)
			}
		}
	}
	// And the faults.
	w := c.do("GET", "/v1/predict", "")
	var answer any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	for _, fault := range d.check(d.at("components", "responses", "Fault", "content", "application/json", "schema"), answer, "fault") {
		t.Error(fault)
	}
}

// document is an OpenAPI description.
type document struct{ root map[string]any }

func (d *document) at(path ...string) any {
	var v any = d.root
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}

// properties returns the fields of an object's schema, and those required.
func (d *document) properties(schema map[string]any) (fields map[string]any, required []string) {
	fields = map[string]any{}
	if ref, ok := schema["$ref"].(string); ok {
		return d.properties(d.at(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...).(map[string]any))
	}
	for _, part := range list(schema["allOf"]) {
		more, also := d.properties(part.(map[string]any))
		maps.Copy(fields, more)
		required = append(required, also...)
	}
	if own, ok := schema["properties"].(map[string]any); ok {
		maps.Copy(fields, own)
	}
	for _, name := range list(schema["required"]) {
		required = append(required, name.(string))
	}
	return fields, required
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

// check compares a value with a schema: kinds, required fields, and no field that
// is not described.
func (d *document) check(schema, value any, where string) (faults []string) {
	s, ok := schema.(map[string]any)
	if !ok {
		return []string{where + ": no schema"}
	}
	if ref, ok := s["$ref"].(string); ok {
		return d.check(d.at(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...), value, where)
	}
	kind, _ := s["type"].(string)
	switch v := value.(type) {
	case map[string]any:
		fields, required := d.properties(s)
		for _, name := range required {
			if _, ok := v[name]; !ok {
				faults = append(faults, where+": no "+name)
			}
		}
		for name, inner := range v {
			if fields[name] == nil {
				faults = append(faults, where+": "+name+" is not described")
				continue
			}
			faults = append(faults, d.check(fields[name], inner, where+"."+name)...)
		}
		return faults
	case []any:
		for k, inner := range v {
			faults = append(faults, d.check(s["items"], inner, fmt.Sprintf("%s[%d]", where, k))...)
		}
		kind = strings.Replace(kind, "array", "", 1)
	case string:
		if values := list(s["enum"]); values != nil && !slices.Contains(values, any(v)) {
			faults = append(faults, where+": "+v)
		}
		kind = strings.Replace(kind, "string", "", 1)
	case float64:
		kind = strings.Replace(kind, "number", "", 1)
		if v == float64(int(v)) {
			kind = strings.Replace(kind, "integer", "", 1)
		}
	case bool:
		kind = strings.Replace(kind, "boolean", "", 1)
	case nil:
		kind = "a value, not null"
	}
	if kind != "" {
		faults = append(faults, fmt.Sprintf("%s: %v, expected %s", where, value, kind))
	}
	return faults
}

// TestOpenAPISaysWhose: the description does not call the answers of a mixture those of label spreading.
func TestOpenAPISaysWhose(t *testing.T) {
	_, c := start(t, newProblem(t, true).graphs, Options{})
	var d struct{ Info struct{ Description string } }
	c.get("/openapi.json", &d)
	if text := d.Info.Description; strings.Contains(text, "All answers") || !strings.Contains(text, "mixture of methods where /v1/status says so (mixture)") {
		t.Error(text)
	}
}
