package service

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

const redBody = `{"labels": [{"node": "n30", "label": "red"}]}`

// unfinished begins a request with a body of which one byte comes, and returns the connection.
func unfinished(t *testing.T, address string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	fmt.Fprintf(c, "POST /v1/labels HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
	return c
}

// TestSlowSenders: bodies that do not arrive keep no other from being read, however many they are,
// and of too many those that began first are given up.
func TestSlowSenders(t *testing.T) {
	m, _ := start(t, newProblem(t, false).graphs, Options{})
	s := NewServer(m, Options{})
	address := listen(t, s, s)
	var all []net.Conn
	for k := range mostArriving + 8 {
		all = append(all, unfinished(t, address))
		arrives(t, s, min(k+1, mostArriving))
	}
	begun := time.Now()
	answer, err := http.Post(address+"/v1/labels", "application/json", strings.NewReader(redBody))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if took := time.Since(begun); answer.StatusCode != http.StatusOK || took > bodyTime/4 {
		text, _ := io.ReadAll(answer.Body)
		t.Errorf("%s %s after %v", answer.Status, text, took)
	}
	for k := range 8 {
		_ = all[k].SetReadDeadline(time.Now().Add(5 * time.Second))
		text, _ := io.ReadAll(all[k])
		if !strings.HasPrefix(string(text), "HTTP/1.1 503 ") || !strings.Contains(string(text), "given up for newer requests") {
			t.Errorf("the one that began as number %d: %q", k, text)
		}
	}
	if s.intake.held != 0 {
		t.Errorf("%d bytes held", s.intake.held)
	}
}

// arrives waits until so many bodies are under way.
func arrives(t *testing.T, s *Server, want int) {
	t.Helper()
	for range 2000 {
		s.intake.mu.Lock()
		n := len(s.intake.arriving)
		s.intake.mu.Unlock()
		if n == want {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("never %d bodies under way", want)
}

// TestBodyTime: a body that comes byte by byte is given up when its time is over.
func TestBodyTime(t *testing.T) {
	if testing.Short() {
		return
	}
	m, _ := start(t, newProblem(t, false).graphs, Options{})
	s := NewServer(m, Options{})
	c := unfinished(t, listen(t, s, s))
	begun := time.Now()
	go func() {
		for {
			if _, err := c.Write([]byte(" ")); err != nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	}()
	text, _ := io.ReadAll(c)
	if took := time.Since(begun); !strings.HasPrefix(string(text), "HTTP/1.1 408 ") || took < bodyTime-time.Second || took > bodyTime+5*time.Second {
		t.Errorf("%q after %v", text, took)
	}
}

// TestHeld: bodies that have arrived hold a bounded memory together; one that does not fit is
// refused, and a question without one is not.
func TestHeld(t *testing.T) {
	m, _ := start(t, newProblem(t, false).graphs, Options{})
	s := NewServer(m, Options{})
	c := client{t, s}
	s.intake.held = mostHeld
	if w := c.do("POST", "/v1/labels", redBody); w.Code != 503 || m.now.Load().version != 0 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := c.do("GET", "/v1/predict?node=n30", ""); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	s.intake.held = mostHeld - len(redBody)
	if w := c.do("POST", "/v1/labels", redBody); w.Code != 200 || s.intake.held != mostHeld-len(redBody) {
		t.Errorf("%d %s, %d bytes held", w.Code, w.Body, s.intake.held)
	}
}
