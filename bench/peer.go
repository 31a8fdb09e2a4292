package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// peer is a program of bench/peers that holds a problem in memory and solves
// it once for each line with the name of one of its variants, so that runs of
// several programs can alternate. It answers with the numbers of a [sample],
// and may leave out the last.
type peer struct {
	name     string
	variants []string
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
}

// sample is one run: seconds of processor and wall time, a checksum of the
// result, and the largest resident memory of the process so far, 0 where it
// was not asked for.
type sample struct {
	CPU, Wall, Sum float64
	Peak           int64
}

// startPeer starts a program and waits until it is ready.
func startPeer(ctx context.Context, name string, command ...string) (*peer, error) {
	p := &peer{name: name, cmd: exec.CommandContext(ctx, command[0], command[1:]...)}
	p.cmd.Stderr = os.Stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := p.out.ReadString('\n')
	words := strings.Fields(line)
	if err != nil || len(words) < 2 || words[0] != "ready" {
		p.stop()
		return nil, fmt.Errorf("%s: said %q, expected ready and names (%v)", name, line, err)
	}
	p.variants = words[1:]
	return p, nil
}

// run has the program do one run of a variant.
func (p *peer) run(variant string) (s sample, err error) {
	if _, err := fmt.Fprintln(p.in, variant); err != nil {
		return s, fmt.Errorf("%s: %w", p.name, err)
	}
	line, err := p.out.ReadString('\n')
	if err == nil {
		if _, err = fmt.Sscan(line, &s.CPU, &s.Wall, &s.Sum); err == nil && len(strings.Fields(line)) == 4 {
			_, err = fmt.Sscan(strings.Fields(line)[3], &s.Peak)
		}
	}
	if err != nil {
		return s, fmt.Errorf("%s %s: said %q: %w", p.name, variant, line, err)
	}
	return s, nil
}

// stop ends the program.
func (p *peer) stop() {
	p.in.Close()
	_ = p.cmd.Process.Kill() // it has nothing left to say
	_ = p.cmd.Wait()
}
