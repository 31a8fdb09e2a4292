package bench

import (
	"context"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// contestant does one run of a program on the problem at hand.
type contestant struct {
	name string
	run  func() (sample, error)
}

// alternate has each contestant run once a round, every round another one
// first, so that what else the machine does falls on all of them. With a trial
// there is a round before that is not counted. A result that check refuses is
// an error.
func alternate(ctx context.Context, rounds int, trial bool, all []contestant, check func(name string, s sample) error) (map[string][]sample, error) {
	times := map[string][]sample{}
	skip := 0
	if trial {
		skip = 1
	}
	for round := range rounds + skip {
		for k := range all {
			c := all[(k+round)%len(all)]
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			s, err := c.run()
			if err == nil && check != nil {
				err = check(c.name, s)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			if round >= skip {
				times[c.name] = append(times[c.name], s)
			}
		}
	}
	return times, nil
}

// warm has a contestant run twice a turn, and counts the second: in a loop, such as a
// solver's, the cache holds what a run reads if it has room. Variants of one program,
// which follow one another, find it there in any case; others would not.
func warm(c contestant) contestant {
	run := c.run
	c.run = func() (sample, error) {
		if s, err := run(); err != nil {
			return s, err
		}
		return run()
	}
	return c
}

// timed is one run of a function in this process. The checksum is what it
// returns.
func timed(run func() (float64, error)) (s sample, err error) {
	wall, cpu := time.Now(), CPUTime()
	s.Sum, err = run()
	s.CPU, s.Wall = (CPUTime() - cpu).Seconds(), time.Since(wall).Seconds()
	return s, err
}

// child is one run of a program as a process of its own.
func child(ctx context.Context, program string, args ...string) (s sample, err error) {
	cmd := exec.CommandContext(ctx, program, args...)
	wall := time.Now()
	text, err := cmd.CombinedOutput()
	s.Wall = time.Since(wall).Seconds()
	if err != nil {
		return s, fmt.Errorf("%s: %w: %s", strings.Join(append([]string{filepath.Base(program)}, args...), " "), err, text)
	}
	s.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	return s, nil
}

// Medians over the rounds of one contestant.
func medianOf(samples []sample, value func(sample) float64) float64 {
	values := make([]float64, len(samples))
	for k, s := range samples {
		values[k] = value(s)
	}
	return median(values)
}

func wallOf(s sample) float64 { return s.Wall }
func cpuOf(s sample) float64  { return s.CPU }
func sumOf(s sample) float64  { return s.Sum }

// peakOf returns the largest memory of the runs.
func peakOf(samples []sample) (peak int64) {
	for _, s := range samples {
		peak = max(peak, s.Peak)
	}
	return peak
}

// ratioOf returns the median over the rounds of the ratio of two contestants'
// values, NaN where one of them did not run.
func ratioOf(one, other []sample, value func(sample) float64) float64 {
	var ratios []float64
	for k := range min(len(one), len(other)) {
		ratios = append(ratios, value(one[k])/value(other[k]))
	}
	return median(ratios)
}

// peers finds the programs of bench/peers.
type peers struct {
	Folder, Python string
	Log            func(format string, args ...any)
}

// compile builds a C program of the folder and returns its path, "" with a
// word in the log where it cannot be built.
func (p peers) compile(ctx context.Context, dir, name string, args ...string) string {
	program := filepath.Join(dir, name)
	flags := append([]string{"-O3", "-march=native", "-fopenmp", "-o", program, filepath.Join(p.Folder, args[0])}, args[1:]...)
	if text, err := exec.CommandContext(ctx, "cc", flags...).CombinedOutput(); err != nil {
		p.Log("%s is left out: %v: %s", name, err, strings.TrimSpace(string(text)))
		return ""
	}
	return program
}

// script returns the command of a Python program of the folder, nil with a
// word in the log where a module that it needs is missing.
func (p peers) script(ctx context.Context, name, file string, modules ...string) []string {
	if text, err := exec.CommandContext(ctx, p.Python, "-c", "import "+strings.Join(modules, ", ")).CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		p.Log("%s is left out: %v: %s", name, err, lines[len(lines)-1])
		return nil
	}
	return []string{p.Python, filepath.Join(p.Folder, file)}
}

// contestants are the variants of a program that is up.
func (p *peer) contestants() []contestant {
	var all []contestant
	for _, v := range p.variants {
		all = append(all, contestant{p.name + " " + v, func() (sample, error) { return p.run(v) }})
	}
	return all
}

// seconds, mebibytes and number are cells of tables; "–" stands for nothing
// measured.
func seconds(v float64) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case v < 0.1:
		return fmt.Sprintf("%.4f", v)
	case v < 10:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.1f", v)
}

func mebibytes(bytes int64) string {
	if bytes <= 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f", float64(bytes)/(1<<20))
}

func number(format string, v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "–"
	}
	return fmt.Sprintf(format, v)
}

// byFirst sorts the names of the contestants: those of this program first.
func byFirst(names []string) []string {
	slices.SortFunc(names, func(a, b string) int {
		if us := strings.HasPrefix(a, ours); us != strings.HasPrefix(b, ours) {
			if us {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	return names
}
