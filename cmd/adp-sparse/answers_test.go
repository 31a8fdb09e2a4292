package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/diffusion"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/serve"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
)

// mixedSet returns edges, vectors and labels of nodes whose labels by the mixture and by the graph alone
// differ.
func mixedSet(t *testing.T) (dir string, nodes int) {
	const n = 90
	rng := rand.New(rand.NewPCG(6, 95))
	var edges, points, seeds strings.Builder
	for i := range n {
		for range 2 {
			j := rng.IntN(n)
			if rng.IntN(10) < 5 {
				j = (i + 3*j) % n // of the same class
			}
			if i != j {
				fmt.Fprintln(&edges, i, j)
			}
		}
		for j := range 4 {
			v := rng.NormFloat64()
			if j == i%3 {
				v += 1.5
			}
			fmt.Fprintf(&points, "%.5f%c", v, ",,,\n"[j])
		}
		if i < 12 {
			fmt.Fprintf(&seeds, "%d %c\n", i, 'a'+i%3)
		}
	}
	return files(t, "e", edges.String(), "x.csv", points.String(), "s", seeds.String()), n
}

// TestSameAnswer: explain and suggest have the labels and probabilities of run for each node, with edges and
// features and with features alone, whatever the class sizes, and by the graph alone with --combine none.
func TestSameAnswer(t *testing.T) {
	dir, n := mixedSet(t)
	// Seeds choose no graph, so that of label spreading alone is the same.
	features, both := []string{"--features", dir + "/x.csv", "--graph-kind", "knn", "--metric", "l2"}, []string{"--features", dir + "/x.csv", "--edges", dir + "/e", "--feature-share", "0.25", "--metric", "l2"}
	of := map[string][]string{}
	for _, test := range []struct {
		name string
		in   []string
		more []string
	}{
		{"features", features, nil},
		{"both", both, nil},
		{"class sizes", both, []string{"--class-prior", "a=6,b=2,c=1"}},
		{"seeds' sizes", both, []string{"--class-prior", "seeds"}},
		{"unweighed", both, []string{"--class-prior", "none"}},
	} {
		in := append(append(slices.Clone(test.in), "--labels", dir+"/s"), test.more...)
		code, out, errs := call(append(append([]string{"run"}, in...), "--proba", "--quiet")...)
		if code != 0 {
			t.Fatalf("%s: %s", test.name, errs)
		}
		labels := column(out, 1)
		of[test.name] = labels
		asked := append(append([]string{"explain"}, in...), "--json")
		for i := range n {
			asked = append(asked, "--node", strconv.Itoa(i))
		}
		code, said, errs := call(asked...)
		if code != 0 || strings.Contains(errs, "graph-alone") {
			t.Fatalf("%s: exit %d, %s", test.name, code, errs)
		}
		records := strings.Split(strings.TrimSpace(said), "\n")
		for i, line := range records {
			var r diffusion.ExplainRecord
			must(t, json.Unmarshal([]byte(line), &r))
			if r.MixtureRecord == nil || r.Node != strconv.Itoa(i) || r.Label != labels[i] {
				t.Fatalf("%s: node %d is %s by run, explained is %.200s", test.name, i, labels[i], line)
			}
			if got, want := strconv.FormatFloat(float64(r.Confidence), 'f', 6, 64), column(out, 2)[i]; got != want {
				t.Errorf("%s, node %d: confidence %s, run has %s", test.name, i, got, want)
			}
			for k, class := range []string{"a", "b", "c"} {
				want, err := strconv.ParseFloat(column(out, 5+k)[i], 64)
				must(t, err)
				sum := 0.0
				for _, m := range r.Methods {
					sum += m.Weight * m.Scores[class]
				}
				mixed := r.Scores[class]
				if r.Mixed != nil {
					mixed = r.Mixed[class]
				}
				if math.Abs(r.Scores[class]-want) > 1e-5 || math.Abs(sum-mixed) > 1e-5 {
					t.Errorf("%s, node %d, class %s: %v, by the methods %v of %v, run has %v", test.name, i, class, r.Scores[class], sum, mixed, want)
				}
			}
		}
		if len(records) != n {
			t.Errorf("%s: %d records", test.name, len(records))
		}
		code, next, errs := call(append(append([]string{"suggest"}, in...), "--count", "60")...)
		if code != 0 || strings.Contains(errs, "graph-alone") {
			t.Fatalf("%s: exit %d, %s", test.name, code, errs)
		}
		graph := append(slices.Clone(asked), "--combine", "none")
		if len(test.more) == 0 { // labels that are not weighed the same have another F in suggest
			code, said, errs = call(graph...)
			if code != 0 {
				t.Fatal(errs)
			}
			checkSuggested(t, test.name, next, out, said)
		}
	}
	if slices.Equal(of["both"], of["features"]) {
		t.Error("the edges change no label: the test says little")
	}
	// By the graph alone labels are those of the same run.
	for _, more := range [][]string{{"--combine", "none"}, {"--alpha", "0.99"}} {
		in := append(append(slices.Clone(both), "--labels", dir+"/s", "--class-prior", "equal"), more...)
		code, out, errs := call(append(append([]string{"run"}, in...), "--method", "lgc", "--quiet")...)
		if code != 0 {
			t.Fatal(errs)
		}
		if slices.Equal(column(out, 1), of["both"]) {
			t.Errorf("%v: the labels of the mixture", more)
		}
		for i := 12; i < n; i += 7 {
			code, said, errs := call(append(append([]string{"explain"}, in...), "--node", strconv.Itoa(i))...)
			if want := fmt.Sprintf("%d: %s, ", i, column(out, 1)[i]); code != 0 || !strings.HasPrefix(said, want) || strings.Contains(said, "method") {
				t.Errorf("%v: exit %d, %s%s, expected %s", more, code, said, errs, want)
			}
		}
	}
}

// checkSuggested checks that suggested nodes have the labels of run, and their uncertainty by the scores that explain
// has by the graph alone.
func checkSuggested(t *testing.T, name, next, out, graph string) {
	t.Helper()
	var leading [][2]float64
	mean := 0.0
	for line := range strings.Lines(graph) {
		var r diffusion.ExplainRecord
		must(t, json.Unmarshal([]byte(line), &r))
		leading = append(leading, [2]float64{r.Scores[r.Label], r.Scores[r.RunnerUp]})
		mean += r.Scores[r.Label]
	}
	tau := 0.1 * mean / float64(len(leading))
	labels, second := column(next, 4), column(next, 5)
	if len(labels) < 8 {
		t.Errorf("%s: %d nodes are suggested", name, len(labels))
	}
	for k, node := range column(next, 0) {
		i, err := strconv.Atoi(node)
		must(t, err)
		third := strings.NewReplacer(labels[k], "", second[k], "").Replace("abc")
		p := func(class string) string { return column(out, 5+int(class[0]-'a'))[i] }
		if labels[k] != column(out, 1)[i] || second[k] == labels[k] || p(second[k]) < p(third) {
			t.Errorf("%s, node %d: suggested as %s before %s, %s by run", name, i, labels[k], second[k], column(out, 1)[i])
		}
		got, err := strconv.ParseFloat(column(next, 2)[k], 64)
		must(t, err)
		if want := (leading[i][1] + tau) / (leading[i][0] + tau); math.Abs(got-want) > 1e-3 {
			t.Errorf("%s, node %d: uncertainty %v, expected %v", name, i, got, want)
		}
	}
}

// TestServeAnswers: a service has the labels and probabilities of run at the start, and again some time after a label
// was given, by a class that is new too; and by the graph alone with --combine none.
func TestServeAnswers(t *testing.T) {
	dir, n := mixedSet(t)
	in := []string{"--features", dir + "/x.csv", "--edges", dir + "/e"}
	type node struct {
		Node, Label string
		Scores      []struct {
			Label string
			Share float64
		}
	}
	ran := func(labels string, more ...string) (label []string, shares []map[string]float64) {
		code, out, errs := call(append(append([]string{"run", "--labels", labels, "--proba", "--quiet"}, in...), more...)...)
		if code != 0 {
			t.Fatal(errs)
		}
		titles := strings.Split(strings.SplitN(out, "\n", 2)[0], "\t")[5:]
		shares = make([]map[string]float64, n)
		for k, title := range titles {
			for i, text := range column(out, 5+k) {
				v, err := strconv.ParseFloat(text, 64)
				must(t, err)
				if shares[i] == nil {
					shares[i] = map[string]float64{}
				}
				shares[i][title] = v
			}
		}
		return column(out, 1), shares
	}
	with := func(what string, more []string, do func(ask func(method, address, body string, to any))) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var errs strings.Builder
		cmd := serve.NewWith(streams.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: &errs}, func(address string) {
			go func() {
				defer stop()
				do(func(method, question, body string, to any) {
					r, err := http.NewRequestWithContext(ctx, method, "http://"+address+question, strings.NewReader(body))
					must(t, err)
					r.Header.Set("Content-Type", "application/json")
					answer, err := http.DefaultClient.Do(r)
					if err != nil {
						t.Error(err)
						return
					}
					defer answer.Body.Close()
					if err := json.NewDecoder(answer.Body).Decode(to); err != nil || answer.StatusCode != http.StatusOK {
						t.Errorf("%s: %s: %v", question, answer.Status, err)
					}
				})
			}()
		})
		cmd.SetArgs(append(append([]string{"--labels-out", dir + "/" + what + ".tsv", "--listen", "127.0.0.1:0"}, in...), more...))
		cmd.SilenceUsage, cmd.SilenceErrors = true, true
		must(t, cmd.ExecuteContext(ctx))
		if strings.Contains(errs.String(), "graph-alone") {
			t.Errorf("%s: %s", what, &errs)
		}
	}
	names := "?node=0"
	for i := 1; i < n; i++ {
		names += fmt.Sprintf("&node=%d", i)
	}
	same := func(what string, ask func(method, address, body string, to any), labels []string, shares []map[string]float64) {
		t.Helper()
		var got struct{ Nodes []node }
		ask("GET", "/v1/predict"+names, "", &got)
		if len(got.Nodes) != n {
			t.Fatalf("%s: %d nodes", what, len(got.Nodes))
		}
		for i, x := range got.Nodes {
			if x.Label != labels[i] {
				t.Errorf("%s: node %d is %s, %s by run", what, i, x.Label, labels[i])
			}
			for _, score := range x.Scores {
				if want, ok := shares[i][score.Label]; !ok || math.Abs(score.Share-want) > 1e-5 {
					t.Errorf("%s: node %d has %v of %s, %v by run", what, i, score.Share, score.Label, shares[i])
				}
			}
		}
	}
	labels, shares := ran(dir + "/s")
	given := []string{"--labels", dir + "/s"}
	with("mixture", given, func(ask func(method, address, body string, to any)) {
		same("at the start", ask, labels, shares)
		var status struct {
			Mixture   bool
			Behind    int
			Labelling int
		}
		var change struct {
			Behind int
			Moves  []struct{ Nodes int }
		}
		ask("POST", "/v1/labels", `{"labels": [{"node": "50", "label": "a"}, {"node": "51", "label": "new"}, {"node": "54", "label": "new"}]}`, &change)
		ask("POST", "/v1/labels", `{"labels": [{"node": "1", "label": ""}]}`, &change)
		for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
			if ask("GET", "/v1/status", "", &status); status.Behind == 0 || time.Since(start) > time.Minute {
				break
			}
		}
		if !status.Mixture || status.Behind != 0 || status.Labelling < 2 || len(change.Moves) == 0 {
			t.Errorf("%+v, changed %+v", status, change)
		}
		again, shares := ran(dir + "/mixture.tsv")
		if slices.Equal(again, labels) {
			t.Error("the given labels change nothing")
		}
		same("with more labels", ask, again, shares)
	})
	// Without --labels the mixture comes with the labels of the second class.
	with("unlabelled", nil, func(ask func(method, address, body string, to any)) {
		var status struct {
			Mixture bool
			Behind  int
			Known   int `json:"known_labels"`
		}
		settled := func() {
			t.Helper()
			for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
				if ask("GET", "/v1/status", "", &status); status.Behind == 0 || time.Since(start) > time.Minute {
					return
				}
			}
		}
		if settled(); status.Mixture || status.Known != 0 {
			t.Errorf("without labels: %+v", status)
		}
		byClass := map[string][]string{}
		for line := range strings.Lines(read(t, dir+"/s")) {
			words := strings.Fields(line)
			byClass[words[1]] = append(byClass[words[1]], fmt.Sprintf(`{"node": %q, "label": %q}`, words[0], words[1]))
		}
		for k, class := range slices.Sorted(maps.Keys(byClass)) {
			var change struct{ Behind int }
			ask("POST", "/v1/labels", `{"labels": [`+strings.Join(byClass[class], ", ")+`]}`, &change)
			if settled(); status.Mixture != (k > 0) || status.Behind != 0 {
				t.Errorf("%d classes: %+v", k+1, status)
			}
		}
		same("with the labels of all classes", ask, labels, shares)
	})
	with("unlabelled", nil, func(ask func(method, address, body string, to any)) {
		same("started again", ask, labels, shares)
	})
	with("graph", append(given, "--combine", "none", "--method", "lgc"), func(ask func(method, address, body string, to any)) {
		labels, shares := ran(dir+"/s", "--combine", "none", "--method", "lgc", "--class-prior", "equal")
		same("by the graph", ask, labels, shares)
	})
}
