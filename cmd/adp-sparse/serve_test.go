package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/serve"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/internal/filemap"
)

// ask asks a service and returns the status and the answer.
func ask(t *testing.T, method, address, token, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, address, strings.NewReader(body))
	must(t, err)
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(r)
	must(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	must(t, err)
	return answer.StatusCode, string(text)
}

// TestServe: a service answers, takes a label, and ends well when it is told to,
// on a mapped graph too; with a token it answers who has it.
func TestServe(t *testing.T) {
	edges, seeds := communities(60)
	dir := files(t, "g", edges, "s", seeds, "token", "correct-horse-battery\n")
	if code, _, errs := call("convert", "--edges", dir+"/g", "--out", dir+"/g.csr", "--quiet"); code != 0 {
		t.Fatal(errs)
	}
	if _, help, _ := call("serve", "--help"); !strings.Contains(help, "run's mixture, of edges alone too") {
		t.Errorf("help does not say that edges alone are mixed, as below: %s", help)
	}
	for _, test := range []struct {
		args  []string
		token string
		mixed bool
	}{
		{[]string{"--edges", dir + "/g"}, "", true},
		{[]string{"--graph", dir + "/g.csr", "--select", "none"}, "", false},
		{[]string{"--edges", dir + "/g", "--method", "lgc", "--token-file", dir + "/token"}, "correct-horse-battery", false},
	} {
		must(t, os.RemoveAll(dir+"/s.given.tsv")) // what the service before kept
		ctx, stop := context.WithCancel(context.Background())
		address := make(chan string, 1)
		var errs bytes.Buffer
		cmd := serve.NewWith(streams.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: &errs}, func(a string) { address <- a })
		cmd.SetArgs(append(test.args, "--labels", dir+"/s", "--listen", "127.0.0.1:0"))
		cmd.SilenceUsage, cmd.SilenceErrors = true, true
		ended := make(chan error, 1)
		go func() { ended <- cmd.ExecuteContext(ctx) }()
		select {
		case a := <-address:
			base := "http://" + a
			if code, text := ask(t, "GET", base+"/", "", ""); code != 200 || !strings.Contains(text, "<!DOCTYPE html>") {
				t.Errorf("page: %d %.100s", code, text)
			}
			code, text := ask(t, "GET", base+"/v1/predict?node=20&node=40", test.token, "")
			var r struct {
				Nodes []struct{ Node, Label, Status string }
			}
			if err := json.Unmarshal([]byte(text), &r); err != nil || code != 200 || len(r.Nodes) != 2 || !strings.HasPrefix(r.Nodes[1].Label, "class") {
				t.Errorf("%d %s", code, text)
			}
			if code, text := ask(t, "GET", base+"/v1/status", test.token, ""); code != 200 || !strings.Contains(text, fmt.Sprintf(`"mixture":%v`, test.mixed)) {
				t.Errorf("%v: %d %s, expected a mixture: %v", test.args, code, text, test.mixed)
			}
			if code, text = ask(t, "POST", base+"/v1/labels", test.token, `{"labels": [{"node": "20", "label": "other"}]}`); code != 200 {
				t.Errorf("%d %s", code, text)
			}
			if code, text = ask(t, "GET", base+"/v1/labels", test.token, ""); code != 200 || !strings.Contains(text, "20\tother\n") {
				t.Errorf("%d %s", code, text)
			}
			if test.token != "" {
				if code, _ = ask(t, "GET", base+"/v1/labels", "", ""); code != 401 {
					t.Errorf("without the token: %d", code)
				}
			}
			stop()
			if err := <-ended; err != nil {
				t.Errorf("%v, expected none: the service was told to end", err)
			}
		case err := <-ended:
			t.Errorf("%v: ended with %v", test.args, err)
		}
		stop()
		if !strings.Contains(errs.String(), "serving on http://127.0.0.1:") {
			t.Error(errs.String())
		}
	}
}

// TestServeWarns: the warnings of a run, and the graph that was chosen, are told before
// the service is there; not with --quiet.
func TestServeWarns(t *testing.T) {
	dir := files(t, "g", "a b\na b\nb c\nx y\n", "s", "a NA\na NA\nc y\nq z\n")
	vectors, seeds := "", ""
	for i := range 60 {
		class := i * i / 7 % 2 // of which the vectors say little: other graphs are tried
		vectors += fmt.Sprintf("%d %d %d\n", 1+i%11, i%7, (i*i)%5)
		seeds += fmt.Sprintf("%d class%d\n", i, class)
	}
	more := files(t, "v.txt", vectors, "s", seeds)
	for _, test := range []struct {
		args []string
		says []string
	}{
		{[]string{"--edges", dir + "/g", "--labels", dir + "/s", "--unknown-labels", "skip"}, []string{
			"warning [duplicates]", "warning [unknown-labels]", "warning [repeated-labels]", "warning [missing-like]", "warning [seedless-components]", "warning [unreached]",
		}},
		{[]string{"--features", more + "/v.txt", "--labels", more + "/s"}, []string{"graph chosen", "warning [all-known]"}},
		{[]string{"--edges", dir + "/g", "--labels", dir + "/s", "--unknown-labels", "skip", "--quiet"}, nil},
	} {
		ended, end := context.WithCancel(context.Background())
		var text bytes.Buffer
		cmd := serve.NewWith(streams.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: &text}, func(string) { end() })
		cmd.SetArgs(append(test.args, "--method", "lgc", "--listen", "127.0.0.1:0"))
		cmd.SilenceUsage = true
		must(t, cmd.ExecuteContext(ended))
		before, _, there := strings.Cut(text.String(), "serving on")
		for _, want := range test.says {
			if !there || !strings.Contains(before, want) {
				t.Errorf("%v: no %q in\n%s", test.args, want, text.String())
			}
		}
		if test.says == nil && before != "" {
			t.Errorf("%v: %s", test.args, before)
		}
		end()
	}
}

// TestServeMemory: labels of more classes than fit the limit are refused, and fewer are taken; at
// the start too, where a run would fit that solves for some classes at a time.
func TestServeMemory(t *testing.T) {
	const n = 3000
	var edges, many strings.Builder
	for i := range n {
		fmt.Fprintf(&edges, "%d %d\n", i, (i+1)%n)
	}
	for i := range 1000 {
		fmt.Fprintf(&many, `{"node": "%d", "label": "c%d"},`, i, i)
	}
	dir := files(t, "g", edges.String(), "s", "1 a\n2000 b\n")
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	cmd := serve.NewWith(streams.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}, func(a string) {
		go func() {
			defer stop()
			for _, test := range []struct {
				labels string
				code   int
				says   string
			}{
				{strings.TrimSuffix(many.String(), ","), 409, "the limit is 40 MiB (--memory-limit)"},
				{`{"node": "7", "label": "c"}`, 200, "labelling"},
			} {
				if code, text := ask(t, "POST", "http://"+a+"/v1/labels", "", `{"labels": [`+test.labels+`]}`); code != test.code || !strings.Contains(text, test.says) {
					t.Errorf("%.40s: %d %.200s", test.labels, code, text)
				}
			}
		}()
	})
	cmd.SetArgs([]string{"--edges", dir + "/g", "--labels", dir + "/s", "--method", "lgc", "--memory-limit", "40MiB", "--listen", "127.0.0.1:0"})
	must(t, cmd.ExecuteContext(ctx))

	var known strings.Builder
	for i := range 300 {
		fmt.Fprintf(&known, "%d c%d\n", i, i)
	}
	dir = files(t, "g", edges.String(), "s", known.String())
	args := []string{"--edges", dir + "/g", "--labels", dir + "/s", "--method", "lgc", "--memory-limit", "40MiB"}
	if code, _, errs := call(append([]string{"run", "--out", dir + "/o"}, args...)...); code != 0 {
		t.Errorf("run: exit %d, %s", code, errs)
	}
	soon, end := context.WithTimeout(context.Background(), 20*time.Second) // what is not refused ends then
	defer end()
	var errs bytes.Buffer
	code := execute(soon, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...), streams.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: &errs})
	if says := "spreading labels of 300 classes needs about"; code != exits.Memory || !strings.Contains(errs.String(), says) {
		t.Errorf("serve: exit %d, %s, expected %d, %q", code, &errs, exits.Memory, says)
	}
}

// TestServeRefusals: what must not be served is refused before anything is read.
func TestServeRefusals(t *testing.T) {
	soon, end := context.WithTimeout(context.Background(), 20*time.Second) // what is not refused ends then
	defer end()
	dir := files(t, "g", "a b\nb c\n", "s", "a x\nc y\n", "short", "secret", "token", strings.Repeat("x", serve.LeastToken), "same.tsv", "id\ttext\n",
		"i.csv", "text,number\none,1\ntwo,2\n", "twice.jsonl", "{\"id\": \"a\", \"t\": 1}\n{\"id\": \"a\", \"t\": 2}\n", "key.jsonl", "{\"id\": \"a\"}\n{\"id\": \"b\", \"t\": 2}\n",
		"bad.csv", "id,text\na,b\nb,c,d\n")
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--listen", ":8650"}, exits.Usage, "--token-file"},
		{[]string{"--listen", "0.0.0.0:0"}, exits.Usage, "--token-file"},
		{[]string{"--listen", "192.0.2.1:80"}, exits.Usage, "--token-file"},
		{[]string{"--listen", "nonsense"}, exits.Usage, "address:port"},
		{[]string{"--listen", ":0", "--token-file", dir + "/short"}, exits.Usage, "at least 16"},
		{[]string{"--listen", ":0", "--token-file", dir + "/none"}, exits.IO, "none"},
		{[]string{"--method", "gfhf"}, exits.Usage, "adp or lgc"},
		{[]string{"--alpha", "2"}, exits.Usage, "--alpha 2"},
		{[]string{"--request-timeout", "0s"}, exits.Usage, "--request-timeout"},
		{[]string{"--listen", "127.0.0.1:0", "--memory-limit", "23MiB"}, exits.Memory, "the limit is 23 MiB"},
		{[]string{"--listen", "192.0.2.1:0", "--token-file", dir + "/token"}, exits.IO, "192.0.2.1"}, // an address of nobody's
		{[]string{"--listen", "127.0.0.1:0", "--labels-out", dir + "/given.csv"}, exits.Usage, "ends with .tsv"},
		{[]string{"--listen", "127.0.0.1:0", "--labels-out", dir + "/none/given.tsv"}, exits.IO, "another --labels-out"},
		{[]string{"--listen", "127.0.0.1:0", "--labels-out", dir + "/same.tsv", "--items", dir + "/same.tsv"}, exits.Usage, "the same file as --items"},
		{[]string{"--items", dir + "/i.txt"}, exits.Usage, "expected .csv, .tsv, .jsonl or .parquet"},
		{[]string{"--items", dir + "/i.npy"}, exits.Usage, "--image-shape"},
		{[]string{"--image-shape", "2x2"}, exits.Usage, "--features"},
		{[]string{"--items-root", dir}, exits.Usage, "table of --items"},
		{[]string{"--items", dir + "/i.npy", "--image-shape", "0x2"}, exits.Usage, "HEIGHTxWIDTH"},
		{[]string{"--items", dir + "/i.npy", "--image-shape", "2x2x4"}, exits.Usage, "HEIGHTxWIDTH"},
		{[]string{"--listen", "127.0.0.1:0", "--items", dir + "/i.csv"}, exits.Data, "i.csv: 2 rows without a column of node ids (--items-id), expected one for each of the 3 nodes"},
		{[]string{"--listen", "127.0.0.1:0", "--items", dir + "/i.csv", "--items-id", "x"}, exits.Data, "i.csv:1: no column"},
		{[]string{"--listen", "127.0.0.1:0", "--items", dir + "/twice.jsonl"}, exits.Data, "twice.jsonl:2: a second item of node"},
		{[]string{"--listen", "127.0.0.1:0", "--items", dir + "/key.jsonl"}, exits.Data, "key.jsonl:2: key"},
		{[]string{"--listen", "127.0.0.1:0", "--items", dir + "/bad.csv"}, exits.Data, "bad.csv:3: "},
		{[]string{"--listen", "127.0.0.1:0", "--items", dir + "/i.csv", "--items-root", dir}, exits.Data, "no column of paths"},
		{[]string{"--listen", "127.0.0.1:0", "--items", dir + "/none.csv"}, exits.IO, "none.csv"},
	} {
		var text bytes.Buffer
		args := append([]string{"serve", "--edges", dir + "/g", "--labels", dir + "/s"}, test.args...)
		code, errs := execute(soon, args, streams.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: &text}), text.String()
		if code != test.code || !strings.Contains(errs, test.says) {
			t.Errorf("%v: exit %d, %s, expected %d, %q", test.args, code, errs, test.code, test.says)
		}
	}
	if code, _, errs := call("serve", "--edges", "-"); code != exits.Usage || !strings.Contains(errs, "--labels-out") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

// TestServeRewritten: a mapped graph that is written over while it is served gives a fault for
// each question, and no trace.
func TestServeRewritten(t *testing.T) {
	if !filemap.Has {
		t.Skip("files are not mapped here")
	}
	edges, seeds := communities(60)
	dir := files(t, "g", edges, "s", seeds)
	if code, _, errs := call("convert", "--edges", dir+"/g", "--out", dir+"/g.csr", "--quiet"); code != 0 {
		t.Fatal(errs)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var errs bytes.Buffer
	cmd := serve.NewWith(streams.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: &errs}, func(a string) {
		go func() {
			defer stop()
			writeOver(t, dir+"/g.csr")
			for _, question := range [][2]string{
				{"GET", "/v1/status"},
				{"GET", "/v1/nodes?prefix=2"},
				{"GET", "/v1/predict?node=20"},
				{"GET", "/v1/suggest"},
				{"GET", "/v1/explain?node=20"},
				{"GET", "/v1/neighbors?node=20"},
				{"GET", "/v1/labels"},
				{"POST", "/v1/labels"},
			} {
				r, err := http.NewRequest(question[0], "http://"+a+question[1], strings.NewReader(`{"labels": [{"node": "20", "label": "other"}]}`))
				if err != nil {
					t.Error(err)
					return
				}
				r.Header.Set("Content-Type", "application/json")
				answer, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Errorf("%s: %v", question, err)
					continue
				}
				text, err := io.ReadAll(answer.Body)
				answer.Body.Close()
				if err != nil || answer.StatusCode != 500 || string(text) != "{\"error\":\"internal error\"}\n" {
					t.Errorf("%s: %s, %s, %v", question, answer.Status, text, err)
				}
			}
		}()
	})
	cmd.SetArgs([]string{"--graph", dir + "/g.csr", "--labels", dir + "/s", "--select", "none", "--quiet", "--listen", "127.0.0.1:0"})
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	must(t, cmd.ExecuteContext(ctx))
	if lines := strings.Count(errs.String(), "\n"); lines != 1+8 || strings.Contains(errs.String(), "goroutine") {
		t.Errorf("%d lines, expected where it serves and one for each question:\n%s", lines, &errs)
	}
}

// writeOver fills a file with ones past its header, in its place.
func writeOver(t *testing.T, path string) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil {
		_, err = f.WriteAt(bytes.Repeat([]byte{0xff}, int(info.Size())-128), 128)
	}
	if err != nil {
		t.Error(err)
	}
}

// served is a service in a process of its own.
type served struct {
	*exec.Cmd
	address string
	errs    *bytes.Buffer
	ended   chan error
}

// serving starts the program and waits until it serves.
func serving(t *testing.T, args ...string) *served {
	t.Helper()
	s := &served{Cmd: exec.Command(built(t), instead([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...), errs: &bytes.Buffer{}, ended: make(chan error, 1)}
	pipe, err := s.StderrPipe()
	must(t, err)
	must(t, s.Start())
	lines := bufio.NewScanner(pipe)
	for lines.Scan() {
		fmt.Fprintln(s.errs, lines.Text())
		if _, address, found := strings.Cut(lines.Text(), "serving on "); found {
			s.address = strings.TrimSuffix(address, "/")
			break
		}
	}
	go func() {
		_, _ = io.Copy(io.Discard, pipe)
		s.ended <- s.Wait()
	}()
	if s.address == "" {
		<-s.ended
		t.Fatalf("%v does not serve: %s", args, s.errs)
	}
	t.Cleanup(s.kill)
	return s
}

func (s *served) kill() {
	_ = s.Process.Kill()
	select {
	case err := <-s.ended:
		s.ended <- err
	case <-time.After(10 * time.Second):
	}
}

// TestServeKeeps: labels that were acknowledged are there after SIGKILL at any time, with and without
// --labels; they are the file that is downloaded, and one that run takes. A second service does not write the file.
func TestServeKeeps(t *testing.T) {
	edges, seeds := communities(60)
	for _, test := range []struct{ name, out, labels string }{{"from labels", "s.given.tsv", "s"}, {"from nothing", "g.given.tsv", ""}} {
		t.Run(test.name, func(t *testing.T) {
			dir := files(t, "g", edges, "s", seeds)
			args := []string{"--edges", dir + "/g", "--method", "lgc"}
			if test.labels != "" {
				args = append(args, "--labels", dir+"/"+test.labels)
			}
			acknowledged, asked := map[string]string{}, map[string]string{}
			for round := range 4 {
				s := serving(t, args...)
				if round > 0 && !strings.Contains(s.errs.String(), "goes on from "+filepath.Join(dir, test.out)) {
					t.Error(s.errs)
				}
				code, text := ask(t, "GET", s.address+"/v1/labels", "", "")
				for node, label := range acknowledged {
					has := func(label string) bool { return strings.Contains("\n"+text, "\n"+node+"\t"+label+"\n") }
					if code != 200 || !has(label) && (asked[node] == label || !has(asked[node])) {
						t.Fatalf("round %d: %s %s was acknowledged, and is not in\n%s", round, node, label, text)
					}
				}
				if round == 3 {
					code, _, errs := call(append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
					if code != exits.IO || !strings.Contains(errs, "another run is writing it") {
						t.Errorf("a second service: %d %s", code, errs)
					}
					kept, err := os.ReadFile(filepath.Join(dir, test.out))
					must(t, err)
					if string(kept) != text || len(acknowledged) < 6 {
						t.Errorf("%d acknowledged; kept\n%s\nexpected what is downloaded\n%s", len(acknowledged), kept, text)
					}
					if code, _, errs := call("run", "--edges", dir+"/g", "--labels", filepath.Join(dir, test.out), "--method", "lgc", "--out", dir+"/o.tsv"); code != 0 {
						t.Errorf("run: %d %s", code, errs)
					}
					if given, err := os.ReadFile(dir + "/s"); err != nil || string(given) != seeds {
						t.Error("--labels was changed")
					}
					s.kill()
					return
				}
				var lock sync.Mutex
				var group sync.WaitGroup
				enough := make(chan struct{}, 10_000)
				for worker := range 3 {
					group.Go(func() {
						for k := range 1000 {
							node, label := fmt.Sprint(20+worker*10+k%10), fmt.Sprintf("r%dk%d", round, k%4)
							lock.Lock()
							asked[node] = label
							lock.Unlock()
							r, err := http.Post(s.address+"/v1/labels", "application/json", strings.NewReader(fmt.Sprintf(`{"labels": [{"node": %q, "label": %q}]}`, node, label)))
							if err != nil {
								return // killed
							}
							r.Body.Close()
							if r.StatusCode != 200 {
								t.Errorf("%s", r.Status)
								return
							}
							lock.Lock()
							acknowledged[node] = label
							lock.Unlock()
							enough <- struct{}{}
						}
					})
				}
				for range 3 + 4*round {
					<-enough
				}
				s.kill()
				group.Wait()
			}
		})
	}
}

// TestServeTakenAway: what was taken away stays away, also where all was, and the difference to --labels
// is told.
func TestServeTakenAway(t *testing.T) {
	dir := files(t, "g", "a b\nb c\nc d\n", "s.tsv", "a red\nd blue\n")
	args := []string{"--edges", dir + "/g", "--labels", dir + "/s.tsv", "--method", "lgc"}
	for round, want := range []string{"a\tred\nb\tblue\n", "", ""} {
		s := serving(t, args...)
		if round > 0 && !strings.Contains(s.errs.String(), "the labels of 2 nodes differ") {
			t.Error(round, s.errs)
		}
		for _, body := range [][]string{
			{`{"node": "d", "label": ""}`, `{"node": "b", "label": "blue"}`},
			{`{"node": "a", "label": ""}, {"node": "b", "label": ""}`},
			nil,
		}[round] {
			if code, text := ask(t, "POST", s.address+"/v1/labels", "", `{"labels": [`+body+`]}`); code != 200 {
				t.Error(code, text)
			}
		}
		if _, text := ask(t, "GET", s.address+"/v1/labels", "", ""); text != want {
			t.Errorf("round %d: %q, expected %q", round, text, want)
		}
		s.kill()
	}
}

// TestServeItems: tables of all kinds, and pixels, are shown with their nodes.
func TestServeItems(t *testing.T) {
	vectors := ""
	for i := range 20 {
		vectors += fmt.Sprintf("%d,%d,%d,%d\n", i%7, i%3, i, 255-i)
	}
	dir := files(t, "g", "a b\nb c\nc d\n", "s.tsv", "a red\nd blue\n", "v.csv", vectors,
		"i.csv", "\ufeffid,text,image\nb,\"two, \"\"2\"\"\",p.png\na,one,\nz,gone,\n", "i.tsv", "text\tid\nsays \"no\"\ta\n", "semi.csv", "node;t\na;x,y\n",
		"i.jsonl", "{\"text\": \"ein\\nzwei\", \"n\": 1.50, \"id\": \"a\", \"x\": {\"y\": [1]}, \"z\": null}\n\n")
	for _, test := range []struct {
		args []string
		node string
		want string
	}{
		{[]string{"--edges", dir + "/g", "--items", dir + "/i.csv"}, "b", `{"titles":["text","image"],"items":[{"node":"b","texts":["two, \"2\"","p.png"],"picture":false}]}`},
		{[]string{"--edges", dir + "/g", "--items", dir + "/i.csv", "--items-root", dir}, "b", `{"titles":["text","image"],"items":[{"node":"b","texts":["two, \"2\"","p.png"],"picture":true}]}`},
		{[]string{"--edges", dir + "/g", "--items", dir + "/i.tsv"}, "a", `{"titles":["text"],"items":[{"node":"a","texts":["says \"no\""],"picture":false}]}`},
		{[]string{"--edges", dir + "/g", "--items", dir + "/semi.csv"}, "a", `{"titles":["t"],"items":[{"node":"a","texts":["x,y"],"picture":false}]}`},
		{[]string{"--edges", dir + "/g", "--items", dir + "/i.jsonl"}, "a", `{"titles":["text","n","x","z"],"items":[{"node":"a","texts":["ein\nzwei","1.50","{\"y\": [1]}",""],"picture":false}]}`},
		{[]string{"--features", dir + "/v.csv", "--k", "3", "--image-shape", "2x2"}, "7", `{"titles":[],"items":[{"node":"7","texts":[],"picture":true}]}`},
	} {
		s := serving(t, append(test.args, "--labels-out", dir+"/out.tsv")...)
		if _, text := ask(t, "GET", s.address+"/v1/items?node="+test.node, "", ""); text != test.want+"\n" {
			t.Errorf("%v: %s, expected %s", test.args, text, test.want)
		}
		if said := strings.Contains(s.errs.String(), "1 item of "+dir+"/i.csv left out: no such node in the graph, first \"z\" in line 4"); said != strings.HasSuffix(test.args[3], "/i.csv") {
			t.Errorf("%v: %s", test.args, s.errs)
		}
		s.kill()
	}
}
