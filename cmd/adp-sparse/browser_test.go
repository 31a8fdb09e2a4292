package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// browser is Chromium, which is told what to do through a pipe (--remote-debugging-pipe: messages of
// the DevTools protocol with a zero byte after each), so that nothing but itself is needed.
type browser struct {
	*testing.T
	to     *os.File
	from   *bufio.Reader
	last   int
	faults []string // of the pages: exceptions, and what the policy of a page refused
}

// openBrowser starts the program that ADP_SPARSE_BROWSER names, such as chromium.
func openBrowser(t *testing.T) *browser {
	t.Helper()
	program := os.Getenv("ADP_SPARSE_BROWSER")
	if program == "" {
		t.Skip("no browser: ADP_SPARSE_BROWSER names one, such as chromium")
	}
	theirs, to, err := os.Pipe()
	must(t, err)
	from, its, err := os.Pipe()
	must(t, err)
	profile, err := os.MkdirTemp("", "adp-sparse-browser-*") // its children may still write when it has ended
	must(t, err)
	cmd := exec.Command(program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--remote-debugging-pipe", "--user-data-dir="+profile, "about:blank")
	cmd.ExtraFiles = []*os.File{theirs, its}
	must(t, cmd.Start())
	theirs.Close()
	its.Close()
	t.Cleanup(func() {
		to.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		for range 50 {
			if os.RemoveAll(profile) == nil {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	must(t, from.SetReadDeadline(time.Now().Add(9*time.Minute)))
	return &browser{T: t, to: to, from: bufio.NewReader(from)}
}

// call asks for something and waits for the answer.
func (b *browser) call(session, method string, params, into any) {
	b.Helper()
	b.last++
	text, err := json.Marshal(map[string]any{"id": b.last, "sessionId": session, "method": method, "params": params})
	must(b.T, err)
	if session == "" {
		text = []byte(strings.Replace(string(text), `"sessionId":"",`, "", 1))
	}
	_, err = b.to.Write(append(text, 0))
	must(b.T, err)
	for {
		text, err := b.from.ReadBytes(0)
		must(b.T, err)
		var answer struct {
			ID     int
			Method string
			Params struct {
				Type             string
				ExceptionDetails json.RawMessage
				Entry            struct{ Level, Source, Text, URL string }
			}
			Session string `json:"sessionId"`
			Result  json.RawMessage
			Error   *struct{ Message string }
		}
		must(b.T, json.Unmarshal(text[:len(text)-1], &answer))
		switch {
		case answer.Method == "Runtime.exceptionThrown":
			b.faults = append(b.faults, string(answer.Params.ExceptionDetails))
		case answer.Method == "Log.entryAdded" && answer.Params.Entry.Source == "security":
			b.faults = append(b.faults, answer.Params.Entry.Text)
		case answer.Method == "Page.javascriptDialogOpening":
			b.faults = append(b.faults, "dialog "+answer.Params.Type)
		case answer.ID == b.last && answer.Error != nil:
			b.Fatalf("%s: %s", method, answer.Error.Message)
		case answer.ID == b.last:
			if into != nil {
				must(b.T, json.Unmarshal(answer.Result, into))
			}
			return
		}
	}
}

// tab is a page of the browser.
type tab struct {
	*browser
	session string
}

func (b *browser) open(address string) *tab {
	b.Helper()
	var target struct{ TargetID string }
	b.call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	p := &tab{b, attached.SessionID}
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		b.call(p.session, domain+".enable", nil, nil)
	}
	p.goTo(address)
	return p
}

func (p *tab) goTo(address string) {
	p.Helper()
	p.call(p.session, "Page.navigate", map[string]any{"url": address}, nil)
	p.wait("document.readyState === 'complete' && !document.getElementById('main').hidden")
}

// eval returns the value of an expression, as JSON.
func (p *tab) eval(expression string) string {
	p.Helper()
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Exception struct{ Description string }
		}
	}
	p.call(p.session, "Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		p.Fatalf("%s: %s", expression, r.ExceptionDetails.Exception.Description)
	}
	return string(r.Result.Value)
}

func (p *tab) text(selector string) string {
	p.Helper()
	var text string
	must(p.T, json.Unmarshal([]byte(p.eval(fmt.Sprintf("document.querySelector(%q)?.textContent ?? ''", selector))), &text))
	return text
}

// wait waits until an expression is true.
func (p *tab) wait(expression string) {
	p.Helper()
	for end := time.Now().Add(time.Minute); p.eval("Boolean("+expression+")") != "true"; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			p.Fatalf("not within a minute: %s; the page says %s %s", expression, p.text("#message"), p.text("#saved"))
		}
	}
}

// press presses keys, one after the other: letters, digits, signs and Enter.
func (p *tab) press(keys ...string) {
	p.Helper()
	for _, key := range keys {
		event := map[string]any{"type": "keyDown", "key": key, "text": key}
		switch {
		case key == "Enter":
			event["text"], event["windowsVirtualKeyCode"] = "\r", 13
		case len(key) > 1:
			delete(event, "text")
		}
		p.call(p.session, "Input.dispatchKeyEvent", event, nil)
		p.call(p.session, "Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key}, nil)
	}
}

const saved = "document.getElementById('saved').textContent.startsWith('All labels')"

// label gives nodes their true labels by keys alone, as many as asked for, and returns what it said, in
// order, and the seconds from each key to the next node, and to the label's being saved.
func (p *tab) label(truth func(node string) string, count int, wait bool) (said [][2]string, next, kept []float64) {
	p.Helper()
	for range count {
		node := p.text("#name bdi")
		class := truth(node)
		key := p.eval(fmt.Sprintf("[...document.querySelectorAll('#classes button')].find((b) => b.querySelector('bdi').textContent === %q)?.querySelector('kbd')?.textContent ?? ''", class))
		start := time.Now()
		if key = strings.Trim(key, `"`); key != "" {
			p.press(key)
		} else {
			p.press(append(append([]string{"/"}, strings.Split(class, "")...), "Enter")...)
			if p.eval("document.getElementById('confirm').hidden") == "false" { // a new class
				p.press("Enter")
			}
		}
		p.wait(fmt.Sprintf("document.querySelector('#name bdi').textContent !== %q", node))
		next = append(next, time.Since(start).Seconds())
		if wait {
			p.wait(saved)
			kept = append(kept, time.Since(start).Seconds())
		}
		said = append(said, [2]string{node, class})
	}
	return said, next, kept
}

// otherKey returns the key of a class that is not the one given.
func (p *tab) otherKey(class string) string {
	p.Helper()
	return strings.Trim(p.eval(fmt.Sprintf("[...document.querySelectorAll('#classes button')].find((b) => b.querySelector('bdi').textContent !== %q).querySelector('kbd').textContent", class)), `"`)
}

// checkAccess runs axe-core, which ADP_SPARSE_AXE names, and reports its serious findings.
func (p *tab) checkAccess(what string) {
	p.Helper()
	name := os.Getenv("ADP_SPARSE_AXE")
	if name == "" {
		p.Log("no check of accessibility: ADP_SPARSE_AXE names axe.min.js of axe-core")
		return
	}
	script, err := os.ReadFile(name)
	must(p.T, err)
	p.eval(string(script) + "; true")
	var r struct {
		Passes     int
		Violations []struct{ ID, Impact, Help, Where string }
	}
	must(p.T, json.Unmarshal([]byte(p.eval(`axe.run().then((r) => ({passes: r.passes.length, violations: r.violations.map((v) => ({id: v.id, impact: v.impact, help: v.help, where: v.nodes.map((n) => n.html + ' ' + n.failureSummary).join('\n').slice(0, 1500)}))}))`)), &r))
	if r.Passes < 10 {
		p.Errorf("%s: axe checked %d rules", what, r.Passes)
	}
	for _, v := range r.Violations {
		if v.Impact == "serious" || v.Impact == "critical" {
			p.Errorf("%s: %s, %s: %s\n%s", what, v.Impact, v.ID, v.Help, v.Where)
		} else {
			p.Logf("%s: %s, %s: %s\n%.300s", what, v.Impact, v.ID, v.Help, v.Where)
		}
	}
}

// screenshot writes a picture of the page into the folder that ADP_SPARSE_SCREENSHOTS names.
func (p *tab) screenshot(name string) {
	p.Helper()
	folder := os.Getenv("ADP_SPARSE_SCREENSHOTS")
	if folder == "" {
		return
	}
	time.Sleep(700 * time.Millisecond) // evidence and pictures come after the node
	var r struct{ Data []byte }
	p.call(p.session, "Page.captureScreenshot", map[string]any{"captureBeyondViewport": true}, &r)
	must(p.T, os.WriteFile(folder+"/"+name+".png", r.Data, 0o644))
}

func (p *tab) size(width, height int, mobile bool) {
	p.Helper()
	p.call(p.session, "Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}, nil)
}

func (p *tab) dark(on bool) {
	p.Helper()
	p.call(p.session, "Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": map[bool]string{true: "dark", false: "light"}[on]}}}, nil)
}

// digits are pictures of 8×8 points of ten kinds, with noise.
func digits(n int) (vectors string, truth func(node string) string) {
	r := rand.New(rand.NewPCG(1, 2))
	var kinds [10][64]float64
	for k := range kinds {
		for at := range kinds[k] {
			kinds[k][at] = r.Float64()
		}
	}
	var text strings.Builder
	for i := range n {
		for at := range 64 {
			if at > 0 {
				text.WriteByte(',')
			}
			fmt.Fprintf(&text, "%.3f", kinds[i*7%10][at]+0.35*r.NormFloat64())
		}
		text.WriteByte('\n')
	}
	return text.String(), func(node string) string {
		i, _ := strconv.Atoi(node)
		return strconv.Itoa(i * 7 % 10)
	}
}

// exported are the labels of a file of them.
func exported(text string) map[string]string {
	labels := map[string]string{}
	for line := range strings.Lines(text) {
		node, label, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		labels[node] = label
	}
	return labels
}

// TestBrowser: a person labels by keys alone, from nothing; what the page said to be saved is there after
// SIGKILL; the labels can be undone, and are those of the file; two see the same; and whoever cannot see or
// point can do it too.
func TestBrowser(t *testing.T) {
	vectors, truth := digits(400)
	dir := files(t, "v.csv", vectors)
	b := openBrowser(t)
	args := []string{"--features", dir + "/v.csv", "--k", "8", "--image-shape", "8x8", "--labels-out", dir + "/out.tsv"}
	s := serving(t, args...)
	page := b.open(s.address + "/")
	page.size(1280, 900, false)
	said, _, _ := page.label(truth, 20, false)
	page.wait(saved)
	s.kill()

	kept, err := os.ReadFile(dir + "/out.tsv")
	must(t, err)
	s = serving(t, args...)
	_, text := ask(t, "GET", s.address+"/v1/labels", "", "")
	if text != string(kept) {
		t.Errorf("exported\n%s\nkept\n%s", text, kept)
	}
	known := exported(text)
	for _, x := range said {
		if known[x[0]] != x[1] {
			t.Errorf("node %s was labelled %s, and is known as %q", x[0], x[1], known[x[0]])
		}
	}
	if len(known) != 20 {
		t.Errorf("%d known labels, expected 20 of %v", len(known), said)
	}

	page = b.open(s.address + "/")
	page.size(1280, 900, false)
	page.wait("document.querySelectorAll('#speaking-list canvas').length > 2 && document.querySelectorAll('#near canvas').length > 4")
	if got := page.text("#status"); !strings.HasPrefix(got, "400 nodes, 20 labelled in ") {
		t.Error(got)
	}
	page.checkAccess("desktop")
	page.screenshot("desktop")
	page.dark(true)
	page.checkAccess("dark")
	page.screenshot("dark")
	page.dark(false)
	page.size(390, 844, true)
	page.checkAccess("phone")
	if wide := page.eval("document.documentElement.scrollWidth"); wide != "390" {
		t.Errorf("on a phone the page is %s wide, expected 390", wide)
	}
	page.screenshot("phone")
	page.size(1280, 900, false)

	run := func(name string, test func(t *testing.T)) {
		t.Run(name, func(t *testing.T) {
			defer func(whole *testing.T) { b.T = whole }(b.T)
			b.T = t
			test(t)
		})
	}
	run("undo, skip and back", func(t *testing.T) {
		classes := page.text("#status")
		first := page.text("#name bdi")
		page.press("/", "n", "e", "w", "Enter")
		page.wait("!document.getElementById('confirm').hidden")
		page.checkAccess("a new class")
		page.press("Enter")
		page.wait(fmt.Sprintf("document.querySelector('#name bdi').textContent !== %q", first))
		page.wait(saved)
		if got := page.text("#status"); !strings.Contains(got, "21 labelled") || got == classes {
			t.Error(got)
		}
		page.press("u")
		page.wait(fmt.Sprintf("document.querySelector('#name bdi').textContent === %q", first))
		page.wait(saved + " && document.getElementById('status').textContent.includes('20 labelled')")
		if got := page.text("#status"); got != classes {
			t.Errorf("after undo: %s, before: %s", got, classes)
		}
		page.press("s")
		page.wait(fmt.Sprintf("document.querySelector('#name bdi').textContent !== %q", first))
		page.eval("history.back()")
		page.wait(fmt.Sprintf("document.querySelector('#name bdi').textContent === %q", first))
		page.press("n")
		page.wait(fmt.Sprintf("document.querySelector('#name bdi').textContent !== %q", first))
		if page.text("#name bdi") == first {
			t.Error("a skipped node is suggested")
		}
		coming := page.text("#queue li .id")
		page.goTo(s.address + "/#" + coming)
		page.wait(fmt.Sprintf("document.querySelector('#name bdi').textContent === %q", coming))
		page.press("n") // the node that is shown is not the next one
		page.wait(fmt.Sprintf("document.querySelector('#name bdi').textContent !== %q", coming))
	})
	run("take", func(t *testing.T) {
		page.wait("!document.getElementById('take').disabled")
		node, guess := page.text("#name bdi"), page.text("#said bdi")
		page.press("Enter")
		page.wait(fmt.Sprintf("document.querySelector('#name bdi').textContent !== %q", node))
		page.wait(saved)
		if _, text := ask(t, "GET", s.address+"/v1/labels", "", ""); exported(text)[node] != guess {
			t.Errorf("%s is %q, expected the prediction %s", node, exported(text)[node], guess)
		}
	})
	run("two", func(t *testing.T) {
		other := b.open(s.address + "/" + "#399")
		page.goTo(s.address + "/#399")
		page.wait("document.querySelector('#name bdi').textContent === '399'")
		other.label(truth, 1, true)
		wrong := page.otherKey(truth("399"))
		page.press(wrong) // at once: the page has not seen it yet
		page.wait("!document.getElementById('message').hidden || document.querySelector('#said').textContent.startsWith('Labelled')")
		if got := page.text("#message"); !strings.Contains(got, "Somebody else labelled 399 meanwhile") {
			t.Errorf("the page says %q", got)
		}
		if _, text := ask(t, "GET", s.address+"/v1/labels", "", ""); exported(text)["399"] != truth("399") {
			t.Errorf("the label of another was lost: %s", exported(text)["399"])
		}
		page.call(page.session, "Page.bringToFront", nil, nil)
		page.wait(fmt.Sprintf("document.getElementById('status').textContent === %q", other.text("#status")))
	})
	run("many", func(t *testing.T) {
		before := len(exported(func() string { _, text := ask(t, "GET", s.address+"/v1/labels", "", ""); return text }()))
		page.eval("document.getElementById('bulk-margin').value = '0.2', document.querySelector('#bulk-form button').click()")
		page.wait("document.querySelectorAll('#bulk-list li').length > 5")
		page.checkAccess("many")
		shown, err := strconv.Atoi(page.eval("document.querySelectorAll('#bulk-list li').length"))
		must(t, err)
		page.eval("document.querySelector('#bulk-list input').click(), document.getElementById('bulk-take').click()")
		page.wait(saved)
		_, text := ask(t, "GET", s.address+"/v1/labels", "", "")
		if got := len(exported(text)); got != before+shown-1 {
			t.Errorf("%d labels, expected %d and all but one of %d", got, before, shown)
		}
		page.press("u")
		page.wait(fmt.Sprintf("document.getElementById('status').textContent.includes(', %d labelled ')", before))
	})
	run("map", func(t *testing.T) {
		page.eval("document.getElementById('map-open').click()")
		page.wait("document.querySelectorAll('#map-list li').length > 3 && document.getElementById('map-canvas').dataset.milliseconds")
		inks := "new Set(new Uint32Array(document.getElementById('map-canvas').getContext('2d').getImageData(0, 0, document.getElementById('map-canvas').width, document.getElementById('map-canvas').height).data.buffer)).size"
		if n, err := strconv.Atoi(page.eval(inks)); err != nil || n < 8 {
			t.Errorf("%d colours on the map, %v", n, err)
		}
		page.checkAccess("map")
		page.screenshot("map")
		page.eval("document.getElementById('map-canvas').focus()")
		page.press("+", "+")
		time.Sleep(time.Second) // the list comes when the view rests
		page.wait("document.querySelectorAll('#map-list li').length > 0")
		middle := page.text("#map-list .id")
		page.press("Enter")
		page.wait(fmt.Sprintf("document.querySelector('#name bdi').textContent === %q", middle))
		page.eval("document.getElementById('name').focus()")
	})
	run("not saved yet", func(t *testing.T) {
		before := page.text("#name bdi")
		page.press("n")
		page.wait(fmt.Sprintf("document.querySelector('#name bdi').textContent !== %q", before))
		address := strings.TrimPrefix(s.address, "http://")
		page.wait(saved)
		node := page.text("#name bdi")
		s.kill()
		key := page.otherKey("")
		page.press(key)
		page.wait("document.getElementById('saved').textContent.includes('not saved yet')")
		page.wait("!document.getElementById('message').hidden")
		if got := page.eval("(() => { const e = new Event('beforeunload', {cancelable: true}); window.dispatchEvent(e); return e.defaultPrevented; })()"); got != "true" {
			t.Error("leaving does not warn of a label that is not saved")
		}
		s = serving(t, append(args, "--listen", address)...)
		page.wait(saved)
		if _, text := ask(t, "GET", s.address+"/v1/labels", "", ""); exported(text)[node] != key {
			t.Errorf("the label given meanwhile: %q", exported(text)[node])
		}
		if got := page.eval("(() => { const e = new Event('beforeunload', {cancelable: true}); window.dispatchEvent(e); return e.defaultPrevented; })()"); got != "false" {
			t.Error("leaving warns though all is saved")
		}
	})
	if len(b.faults) > 0 {
		t.Errorf("the pages had faults: %.2000s", strings.Join(b.faults, "\n"))
	}
}

// TestBrowserNames: names with marks of direction, quotes and markup are shown as what they are, and can be
// labelled.
func TestBrowserNames(t *testing.T) {
	mark := "a\u202eb"
	dir := files(t, "g", `<img/src=x/onerror=alert(1)> `+mark+"\n"+mark+" c\nc d\n", "s", mark+" x\u200fy\nd z\n")
	b := openBrowser(t)
	s := serving(t, "--edges", dir+"/g", "--labels", dir+"/s", "--method", "lgc", "--labels-out", dir+"/out.tsv")
	page := b.open(s.address + "/#c")
	page.wait("document.querySelectorAll('#near li').length > 1")
	body := page.text("body")
	if strings.ContainsAny(body, "\u202e\u200f") || !strings.Contains(body, `"a\u202eb"`) || !strings.Contains(body, `"x\u200fy"`) {
		t.Errorf("%.3000s", body)
	}
	page.press("1")
	page.wait("document.querySelector('#name bdi').textContent !== 'c'")
	page.wait(saved)
	if _, text := ask(t, "GET", s.address+"/v1/labels", "", ""); exported(text)["c"] != "x\u200fy" {
		t.Errorf("%q", text)
	}
	if len(b.faults) > 0 {
		t.Error(b.faults)
	}
}

// TestBrowserSet labels nodes of a set by keys, and tells how long it took: for figures, by hand.
//
//	ADP_SPARSE_BROWSER=chromium ADP_SPARSE_BROWSER_SET='labels.tsv --features vectors.npy --image-shape 16x16 --method lgc' go test ./cmd/adp-sparse -run BrowserSet -v
func TestBrowserSet(t *testing.T) {
	words := strings.Fields(os.Getenv("ADP_SPARSE_BROWSER_SET"))
	if len(words) < 2 {
		t.Skip("no set: ADP_SPARSE_BROWSER_SET names a file of true labels, and flags of serve")
	}
	text, err := os.ReadFile(words[0])
	must(t, err)
	truth := exported(string(text))
	dir := t.TempDir()
	b := openBrowser(t)
	args := append([]string{"--labels-out", dir + "/out.tsv"}, words[1:]...)
	s := serving(t, args...)
	page := b.open(s.address + "/")
	page.size(1280, 900, false)
	of := func(node string) string { return truth[node] }
	said, next, _ := page.label(of, 20, false)
	page.wait(saved)
	s.kill()
	s = serving(t, args...)
	_, export := ask(t, "GET", s.address+"/v1/labels", "", "")
	kept, err := os.ReadFile(dir + "/out.tsv")
	must(t, err)
	if export != string(kept) || len(exported(export)) != 20 {
		t.Errorf("exported %q, kept %q", export, kept)
	}
	for _, x := range said {
		if exported(export)[x[0]] != x[1] {
			t.Errorf("%s is %q, said %s", x[0], exported(export)[x[0]], x[1])
		}
	}
	page = b.open(s.address + "/")
	page.size(1280, 900, false)
	relabelled, more, keptAfter := page.label(of, 50, true)
	relabelled = relabelled[40:]
	page.screenshot("set")
	begun := time.Now()
	page.eval("document.getElementById('map-open').click()")
	page.wait("document.getElementById('map-canvas').dataset.milliseconds")
	t.Logf("the map: %.1f s", time.Since(begun).Seconds())
	var frames []float64
	for range 20 {
		page.eval("document.getElementById('map-canvas').focus()")
		page.press("ArrowLeft", "+")
		page.eval("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
		v, err := strconv.ParseFloat(strings.Trim(page.eval("document.getElementById('map-canvas').dataset.milliseconds"), `"`), 64)
		must(t, err)
		frames = append(frames, v/1000)
	}
	page.eval("document.getElementById('map-all').click()")
	page.screenshot("set-map")
	for name, seconds := range map[string][]float64{"key to next node, as fast as keys come": next, "key to next node": more, "key to saved and shown": keptAfter, "a frame of the map": frames} {
		slices.Sort(seconds)
		t.Logf("%s: median %.3f s, longest %.3f s of %d", name, seconds[len(seconds)/2], seconds[len(seconds)-1], len(seconds))
	}
	var alone []float64 // the last labels once more, by the service without a page
	page.call(page.session, "Page.navigate", map[string]any{"url": "about:blank"}, nil)
	for _, x := range relabelled {
		for _, label := range []string{"", x[1]} {
			start := time.Now()
			if code, text := ask(t, "POST", s.address+"/v1/labels", "", fmt.Sprintf(`{"labels": [{"node": %q, "label": %q}]}`, x[0], label)); code != 200 {
				t.Error(text)
			}
			alone = append(alone, time.Since(start).Seconds())
		}
	}
	slices.Sort(alone)
	t.Logf("a label by the service alone: median %.3f s, longest %.3f s of %d", alone[len(alone)/2], alone[len(alone)-1], len(alone))
}
