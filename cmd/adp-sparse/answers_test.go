package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/diffusion"
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
	features, both := []string{"--features", dir + "/x.csv"}, []string{"--features", dir + "/x.csv", "--edges", dir + "/e"}
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
		checkSuggested(t, test.name, next, out)
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

// checkSuggested checks the labels of suggested nodes, and that their uncertainty is that of the two largest
// probabilities.
func checkSuggested(t *testing.T, name, next, out string) {
	t.Helper()
	labels, u, second := column(next, 4), column(next, 2), column(next, 5)
	tau, reached := 0.0, 0.0
	for i := range column(out, 0) {
		tau += largest(t, out, i)
		reached++
	}
	tau *= 0.1 / reached
	if len(labels) < 8 {
		t.Errorf("%s: %d nodes are suggested", name, len(labels))
	}
	for k, node := range column(next, 0) {
		i, err := strconv.Atoi(node)
		must(t, err)
		if labels[k] != column(out, 1)[i] || second[k] == labels[k] {
			t.Errorf("%s, node %d: suggested as %s before %s, %s by run", name, i, labels[k], second[k], column(out, 1)[i])
		}
		p, err := strconv.ParseFloat(column(out, 5+int(second[k][0]-'a'))[i], 64)
		must(t, err)
		got, err := strconv.ParseFloat(u[k], 64)
		must(t, err)
		if want := (p + tau) / (largest(t, out, i) + tau); math.Abs(got-want) > 1e-4 {
			t.Errorf("%s, node %d: uncertainty %v, expected %v", name, i, got, want)
		}
	}
}

// largest is the largest probability of a node.
func largest(t *testing.T, out string, i int) (most float64) {
	t.Helper()
	for j := range 3 {
		p, err := strconv.ParseFloat(column(out, 5+j)[i], 64)
		must(t, err)
		most = max(most, p)
	}
	return most
}
