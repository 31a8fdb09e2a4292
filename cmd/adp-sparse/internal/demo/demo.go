// Package demo is the command that labels handwritten digits inside the program, and shows what
// the learned graph adds.
package demo

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// perDigit is the number of known images of each digit.
const perDigit = 5

// flags are the flags of `demo`.
type flags struct {
	dir   string
	draws int
}

func New(std streams.Stdio) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "demo [--write FOLDER | --draws N]",
		Short: "Label handwritten digits from five known ones of each, by four methods",
		Long: `The program holds 1,593 images of handwritten digits. The demo knows the first five of each
digit and finds the digit of the others: by the nearest known image, by label spreading (LGC),
by harmonic functions (GFHF), and by the default method (ADP), which learns the graph.`,
		Example: `  adp-sparse demo
  adp-sparse demo --draws 10
  adp-sparse demo --write digits`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, std) },
	}
	cmd.Flags().StringVar(&f.dir, "write", "", "write the digits into this folder, as files for run: digits.csv, known.tsv, truth.tsv")
	cmd.Flags().IntVar(&f.draws, "draws", 0, "compare the methods on this many random draws of known images, about 3 seconds each")
	return cmd
}

func (f *flags) run(cmd *cobra.Command, std streams.Stdio) error {
	d := readDigits()
	switch given := cmd.Flags().Changed; {
	case given("draws") && f.draws < 1:
		return usage.Errorf("--draws %d, expected at least 1", f.draws)
	case given("write") && given("draws"):
		return usage.Errorf("--write and --draws: say one")
	case given("write"):
		return d.write(std, f.dir)
	case given("draws"):
		_, err := d.repeat(cmd.Context(), std.Out, f.draws)
		return err
	}
	return d.show(cmd.Context(), std.Out, terminal())
}

// inOrder is the order of the file.
func (d *digits) inOrder() []int { return rows.InOrder[int](len(d.truth)) }

// show labels the images from the first of each digit, and shows what the methods find.
func (d *digits) show(ctx context.Context, w io.Writer, pen pen) error {
	known, err := d.known(perDigit, d.inOrder())
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s handwritten digits, images of %d×%d pixels (Semeion, UCI, CC BY 4.0).\n", figures.Count(len(d.truth)), side, side)
	fmt.Fprintf(w, "Known: the first %d images of each digit. To find: the digit of the other %s.\n\n", perDigit, figures.Count(len(d.truth)-len(known)))
	fmt.Fprintf(w, "%-6s%-52s%8s%8s\n", "", "", "right", "wrong")
	t, err := d.compare(ctx, known, func(t *trial, k int) {
		fmt.Fprintf(w, "%-6s%-52s%8.4f%8s\n", methods[k].name, methods[k].how, t.right[k], figures.Count(d.wrong(t, k)))
	})
	if err != nil {
		return err
	}
	d.showExamples(w, t, pen)
	d.conclude(w, t)
	return nil
}

// showExamples draws images that ADP alone gets right, above the known image nearest to each.
func (d *digits) showExamples(w io.Writer, t *trial, pen pen) {
	images := d.examples(t, 4)
	if len(images) == 0 {
		return
	}
	upper, lower := make([]column, len(images)), make([]column, len(images))
	for k, i := range images {
		upper[k] = column{d.pixels.Row(i), []string{
			fmt.Sprintf("LGC: %d", t.labels[byLGC][i]), fmt.Sprintf("ADP: %d (%.2f sure)", t.labels[byADP][i], t.adp.Confidence[i]),
		}}
		lower[k] = column{d.pixels.Row(t.near[i]), []string{fmt.Sprintf("nearest known: %d", d.truth[t.near[i]])}}
	}
	fmt.Fprintf(w, "\n%s that LGC gets wrong and ADP right, above the nearest known image:\n\n", figures.Counted(len(images), "digit"))
	pen.draw(w, upper)
	fmt.Fprintln(w)
	pen.draw(w, lower)
}

// agreed is what the first ten random draws say (`demo --draws 10`). TestDraws measures it.
var agreed = tally{draws: 10, won: 10, lead: 0.020}

// conclude says what the comparison shows, and what to type next.
func (d *digits) conclude(w io.Writer, t *trial) {
	corrected, made := d.corrected(t)
	same := report.SameLabel(d.truth)
	before, after := report.InsideShare(diffuse.Normalize(t.adp.Affinity.W, 0).S, same, 0), report.InsideShare(diffuse.Normalize(t.adp.Graph, 0).S, same, 0)
	fmt.Fprintf(w, `
ADP corrects %d mistakes of LGC and makes %d new ones.
In its graph %.3f of the weight joins images of the same digit, in the graph of neighbours %.3f.
With %d random draws of known images it beats LGC in %d, by %.3f on average (adp-sparse demo --draws %d).

Next, the same on files, with a page to read:
  adp-sparse demo --write digits
  adp-sparse run --features digits/digits.csv --labels digits/known.tsv --out labels.tsv --report report.html
`, corrected, made, after, before, agreed.draws, agreed.won, agreed.lead, agreed.draws)
}

// tally counts the draws in which ADP is ahead of LGC.
type tally struct {
	draws, won, lost int
	lead             float64 // of the shares that are right, on average
}

// repeat compares the methods on random draws of known images.
func (d *digits) repeat(ctx context.Context, w io.Writer, draws int) (tally, error) {
	fmt.Fprintf(w, "Share of the digits found, from %d known images of each, by draw:\n\n%-6s", perDigit, "draw")
	for _, m := range methods {
		fmt.Fprintf(w, "%8s", m.name)
	}
	fmt.Fprintln(w)
	count := tally{draws: draws}
	var sum [len(methods)]float64
	for draw := 1; draw <= draws; draw++ {
		known, err := d.known(perDigit, rand.New(rand.NewPCG(uint64(draw), 0)).Perm(len(d.truth)))
		if err != nil {
			return count, err
		}
		fmt.Fprintf(w, "%-6d", draw)
		t, err := d.compare(ctx, known, func(t *trial, k int) {
			fmt.Fprintf(w, "%8.4f", t.right[k])
			sum[k] += t.right[k]
		})
		fmt.Fprintln(w)
		if err != nil {
			return count, err
		}
		switch {
		case t.right[byADP] > t.right[byLGC]:
			count.won++
		case t.right[byADP] < t.right[byLGC]:
			count.lost++
		}
	}
	fmt.Fprintf(w, "%-6s", "mean")
	for _, s := range sum {
		fmt.Fprintf(w, "%8.4f", s/float64(draws))
	}
	count.lead = (sum[byADP] - sum[byLGC]) / float64(draws)
	_, err := fmt.Fprintf(w, "\n\nADP is ahead of LGC in %d of %s, behind in %d.\n", count.won, figures.Counted(draws, "draw"), count.lost)
	return count, err
}
