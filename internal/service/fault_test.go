package service

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// told is a log of errors.
type told struct {
	sync.Mutex
	list []string
}

func (l *told) add(err error) {
	l.Lock()
	defer l.Unlock()
	l.list = append(l.list, err.Error())
}

// take returns what was told since it was last asked.
func (l *told) take() []string {
	l.Lock()
	defer l.Unlock()
	list := l.list
	l.list = nil
	return list
}

// listen serves a handler as `serve` does, and returns its address.
func listen(t *testing.T, s *Server, handler http.Handler) string {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = s.ErrorLog()
	server.Start()
	t.Cleanup(server.Close)
	return server.URL
}

// TestPanics: a panic is answered as a fault, with one line for the log and nothing of it
// for strangers; the service goes on.
func TestPanics(t *testing.T) {
	m, _ := start(t, newProblem(t, false).graphs, Options{})
	var log told
	mode := ""
	s := NewServer(m, Options{Concurrent: 1, Log: log.add, Guard: func(f func() error) error {
		switch mode {
		case "bounds":
			list := []int{1}
			list[0] = list[len(mode)]
		case "text":
			panic("\x1b[31m\u202esecret\n" + strings.Repeat("x", 1<<20))
		case "passed on":
			defer func() { panic(recover()) }()
			panic(errors.New("secret"))
		}
		return f()
	}})
	base := listen(t, s, s)
	for _, test := range []struct{ mode, says string }{
		{"bounds", "index out of range [6] with length 1"},
		{"text", "panic at fault_test.go:"},
		{"passed on", "secret"},
	} {
		for _, question := range [][2]string{
			{"GET", "/v1/status"},
			{"GET", "/v1/nodes"},
			{"GET", "/v1/predict?node=n01"},
			{"GET", "/v1/suggest"},
			{"GET", "/v1/explain?node=n01"},
			{"GET", "/v1/neighbors?node=n01"},
			{"GET", "/v1/labels"},
			{"POST", "/v1/labels"},
		} {
			mode = test.mode
			code, text := over(t, question[0], base+question[1], `{"labels": [{"node": "n30", "label": "red"}]}`)
			if code != 500 || text != "{\"error\":\"internal error\"}\n" {
				t.Errorf("%s, %s: %d %.100s", test.mode, question, code, text)
			}
			list := log.take()
			if len(list) != 1 || len(list[0]) > 400 || strings.ContainsAny(list[0], "\n\x1b\u202e") ||
				!strings.Contains(list[0], test.says) || !strings.Contains(list[0], "fault_test.go:") {
				t.Errorf("%s, %s: told %.400q, expected a line with %s", test.mode, question, list, test.says)
			}
		}
	}
	mode = ""
	if code, text := over(t, "POST", base+"/v1/labels", `{"labels": [{"node": "n30", "label": "red"}]}`); code != 200 {
		t.Errorf("after them: %d %s", code, text)
	}
}

// over asks a service that listens; the code is 0 where no whole answer came.
func over(t *testing.T, method, address, body string) (int, string) {
	t.Helper()
	if method == "GET" {
		body = ""
	}
	r, err := http.NewRequest(method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, err.Error()
	}
	return answer.StatusCode, string(text)
}

// TestPanicsAmidst: an answer that had begun ends with its connection, and is not taken
// for a whole one.
func TestPanicsAmidst(t *testing.T) {
	m, _ := start(t, newProblem(t, false).graphs, Options{})
	for name, test := range map[string]struct {
		fault any
		told  int
	}{
		"a panic":   {"mine", 1},
		"an abort":  {http.ErrAbortHandler, 0},
		"no header": {"mine", 1},
	} {
		var log told
		s := NewServer(m, Options{Log: log.add})
		base := listen(t, s, s.whole(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if name != "no header" {
				w.WriteHeader(http.StatusOK)
			}
			_, _ = io.WriteString(w, strings.Repeat("x", 1<<14))
			panic(test.fault)
		})))
		code, text := over(t, "GET", base+"/", "")
		if list := log.take(); code != 0 || len(list) != test.told {
			t.Errorf("%s: %d %.60s, told %q", name, code, text, list)
		}
	}
}

// TestTooLong: after a body that is too long the connection ends; the rest is not read.
func TestTooLong(t *testing.T) {
	m, _ := start(t, newProblem(t, false).graphs, Options{})
	s := NewServer(m, Options{})
	r, err := http.NewRequest("POST", listen(t, s, s)+"/v1/labels", strings.NewReader(strings.Repeat(" ", mostBody+1)))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != 413 || !answer.Close {
		t.Errorf("%s, the connection ends: %v", answer.Status, answer.Close)
	}
}

// TestErrorLog: what net/http tells is one line, that a terminal only shows.
func TestErrorLog(t *testing.T) {
	m, _ := start(t, newProblem(t, false).graphs, Options{})
	var log told
	s := NewServer(m, Options{Log: log.add})
	for _, text := range []string{
		"http: response.WriteHeader on hijacked connection",
		"http: panic serving 127.0.0.1:1: \x1b]0;title\a\x7f\u0085\u202e\xff\t\ngoroutine 1 [running]:\nmain.main()",
		"http: TLS handshake error: " + strings.Repeat("é", 1<<16),
	} {
		s.ErrorLog().Print(text)
	}
	want := []string{
		"http: response.WriteHeader on hijacked connection",
		"http: panic serving 127.0.0.1:1: �]0;title������",
		"http: TLS handshake error: " + strings.Repeat("é", 136) + "�…",
	}
	if got := log.take(); !slices.Equal(got, want) {
		t.Errorf("told %.500q, expected %q", got, want)
	}
}
