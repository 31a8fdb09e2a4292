// Package serve is the command that answers questions about a labelled graph over HTTP.
package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/methodflags"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/needs"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/source"
	"github.com/adp-sparse/adp-sparse/cmd/internal/figures"
	"github.com/adp-sparse/adp-sparse/cmd/internal/inputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/program"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/service"
)

// flags are the flags of `serve`.
type flags struct {
	source.Flags
	listen, tokenFile string
	method, pick      string
	timeout           time.Duration
	quiet             bool
	opt               adp.Options
	token             string
	started           func(address string) // in tests: the service listens
	given             func(flag string) bool
}

func New(std streams.Stdio) *cobra.Command {
	return NewWith(std, func(string) {})
}

func NewWith(std streams.Stdio, started func(address string)) *cobra.Command {
	f := flags{Flags: source.Flags{OneLabelFor: "serve"}, started: started}
	cmd := &cobra.Command{
		Use:   "serve (--edges | --graph | --features) FILE --labels FILE",
		Short: "Answer questions about a labelled graph over HTTP, and take corrections",
		Long: `Labels the graph and learns it, as ` + "`run`" + ` does, and then serves a page for
people and JSON for programs (/openapi.json): the label of a node, why it has it,
its neighbours in the learned graph, which node to label next, and what changes
when a label is given. Labels that are given are kept until the service ends;
` + "`GET /v1/labels`" + ` returns all known ones as a file for --labels.

The service is reached from this machine alone. Other machines reach it at
another --listen, and then it wants a token: each request to /v1/ must have the
header "Authorization: Bearer TOKEN". It speaks HTTP without encryption: past a
network that you trust, put a proxy with TLS before it. SIGTERM and Ctrl-C end it
when the requests under way are answered.`,
		Example: `  adp-sparse serve --graph graph.csr --labels labels.tsv
  adp-sparse serve --features vectors.npy --k 10 --labels labels.tsv --listen 127.0.0.1:9000
  adp-sparse serve --edges graph.tsv.gz --labels labels.tsv --listen :8650 --token-file token
  curl 'http://127.0.0.1:8650/v1/explain?node=n17'
  curl http://127.0.0.1:8650/v1/labels --json '{"labels": [{"node": "n17", "label": "red"}]}'`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.given = cmd.Flags().Changed
			return f.run(cmd.Context(), std)
		},
	}
	f.Bind(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.listen, "listen", "127.0.0.1:8650", "address and port; port 0 takes a free one\nStandard error tells which.")
	flags.StringVar(&f.tokenFile, "token-file", "", fmt.Sprintf("file with the token that requests need\nAt least %d letters. It must be given where --listen is not this machine alone.", LeastToken))
	flags.StringVar(&f.method, "method", "adp", "adp learns the graph; lgc spreads labels on the given one")
	flags.StringVar(&f.pick, "select", "auto", "how rounds are chosen, as in run: auto, full, fast or none")
	flags.Float64Var(&f.opt.Alpha, "alpha", 0.99, "diffusion weight α of the labels, between 0 and 1")
	flags.DurationVar(&f.timeout, "request-timeout", time.Minute, "longest work on a request")
	f.BindLimit(cmd)
	flags.BoolVar(&f.quiet, "quiet", false, "no progress on standard error; only the address")
	return cmd
}

const (
	// LeastToken is the length of the shortest token.
	LeastToken = 16
	// atATime is the number of requests that are worked on at a time.
	atATime = 4
	// graceTime is what requests under way get when the service is stopped.
	graceTime = 10 * time.Second
)

func (f *flags) check() (err error) {
	if err := f.Flags.Check(); err != nil {
		return err
	}
	host, port, err := net.SplitHostPort(f.listen)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	switch {
	case err != nil:
		return usage.Errorf("--listen %q, expected address:port, such as 127.0.0.1:8650", f.listen)
	case f.Labels == "":
		return usage.Errorf("say where the known labels are: --labels FILE")
	case f.tokenFile == "" && host != "localhost" && !service.IsLoopback(host):
		return usage.Errorf("--listen %s is reached from other machines: say which token they need, --token-file FILE", f.listen)
	case !methodflags.Has(f.method, adp.SolvesLGC): // corrections start from an earlier F
		return usage.Errorf("--method %q, expected %s", f.method, adp.SolvesLGC.Names("or"))
	case !methodflags.Has(f.method, adp.Tries) && f.given("select"):
		return usage.Errorf("--select is for --method %s; this is %s", adp.Tries.Names("or"), f.method)
	case !(f.opt.Alpha > 0 && f.opt.Alpha < 1):
		return usage.Errorf("--alpha %v, expected between 0 and 1, both excluded", f.opt.Alpha)
	case f.timeout <= 0:
		return usage.Errorf("--request-timeout %v, expected above 0s", f.timeout)
	}
	if f.opt.Method, err = adp.ParseMethod(f.method); err != nil {
		return err
	}
	if f.opt.Select, err = usage.Choose("select", f.pick, methodflags.Selects); err != nil {
		return err
	}
	if !f.given("alpha") {
		f.opt.Alpha = 0 // left to the choice
	}
	f.opt.Threads = f.Threads
	return nil
}

// maxToken is the most bytes of a file with a token.
const maxToken = 4096

func (f *flags) readToken(ctx context.Context) error {
	if f.tokenFile == "" {
		return nil
	}
	file, in, err := inputs.Open(ctx, f.tokenFile)
	if err != nil {
		return err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(in, maxToken+1))
	if err != nil {
		return err
	}
	if len(text) > maxToken {
		return usage.Errorf("--token-file %s: longer than %d bytes", f.tokenFile, maxToken)
	}
	f.token = strings.TrimSpace(string(text))
	if len(f.token) < LeastToken || strings.ContainsFunc(f.token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return usage.Errorf("--token-file %s: expected one word of at least %d letters, digits and signs", f.tokenFile, LeastToken)
	}
	return nil
}

func (f *flags) run(ctx context.Context, std streams.Stdio) error {
	if err := cmp.Or(f.check(), f.readToken(ctx)); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", f.listen) // before the work: an address in use is an error at once
	if err != nil {
		return err
	}
	defer listener.Close()
	graph, err := f.Read(ctx, std)
	if err != nil {
		return err
	}
	defer graph.Close()
	var model *service.Model
	if err := graph.Guard(func() error {
		model, err = f.learn(ctx, std, graph)
		return err
	}); err != nil {
		return err
	}
	server := service.NewServer(model, service.Options{
		Version: program.Version(), Token: f.token, Timeout: f.timeout, Concurrent: atATime, Guard: graph.Guard,
		Log: func(err error) { fmt.Fprintf(std.Err, "adp-sparse: %s\n", streams.Clean(err.Error())) },
	})
	fmt.Fprintf(std.Err, "serving on http://%s/\n", listener.Addr())
	f.started(listener.Addr().String())
	return f.serve(ctx, listener, server)
}

// learn labels the graph and learns it.
func (f *flags) learn(ctx context.Context, std streams.Stdio, graph *opened.Graph) (*service.Model, error) {
	labels, err := f.ReadLabels(std, graph)
	if err != nil {
		return nil, err
	}
	n, c := graph.IDs.Len(), len(labels.Classes)
	seeds, err := diffuse.NewSeeds(n, c, labels.Seeds)
	if err != nil {
		return nil, err
	}
	fitting, err := needs.Fits(f.Memory, needs.Work{Opt: f.opt, Beside: serveBytes(n, c)}, graph, c)
	if err != nil {
		return nil, err
	}
	f.opt.ClassColumns = fitting.Opt.ClassColumns
	// Corrections diffuse all classes at once; the run may take a few at a time.
	learned := graph.W
	fits := func(classes, columns int) error {
		bytes := servingBytes(graph, learned, classes, columns)
		if err := f.Memory.Allows(fmt.Sprintf("spreading labels of %d classes", classes), bytes); err != nil {
			return err
		}
		f.Memory.Collect(max(limit.WithRuntime(bytes), fitting.Peak(graph, c)))
		return nil
	}
	if err := fits(c, c); err != nil {
		return nil, err
	}
	show := report.NewRoundBar(std.Err, f.opt.Steps(n, c))
	f.opt.Observer, f.opt.Progress = show.Round, show.Add
	// Classes are equal, as in the diffusion of corrections.
	result, err := fit.Label(ctx, graph.W, seeds, fit.Options{Run: f.opt, Prior: fit.EqualPrior})
	show.End()
	if err != nil {
		return nil, err
	}
	chosen := result.Rounds[result.Chosen]
	if chosen.TopK != 0 {
		learned = result.Graph
	}
	if !f.quiet {
		t := tabwriter.NewWriter(std.Err, 0, 0, 2, ' ', 0)
		graph.Built.Print(t)
		t.Flush()
		fmt.Fprintf(std.Err, "%s nodes, %s known labels in %d classes; %s\n", figures.Count(n), figures.Count(len(seeds.List())), c, map[bool]string{true: "the graph is learned", false: "labels spread on the graph as it is"}[chosen.TopK != 0])
		found := report.NewResults(labels.Classes, seeds).Warnings
		of, sizes := csr.Components(graph.W, f.Threads)
		found.AddGiven(graph, labels, len(sizes)-report.ReachedComponents(of, seeds), len(sizes))
		append(found, result.Warnings...).Print(std.Err)
	}
	return service.New(ctx, service.Graphs{Names: graph.IDs, Original: graph.W, Learned: learned, Classes: labels.Classes, Seeds: seeds, Fits: fits},
		diffuse.Options{Alpha: chosen.Alpha, Threads: f.Threads})
}

// serveBytes is the memory of answers: blocks of n×c while labels diffuse, and that of the requests
// at a time.
func serveBytes(n, c int) int64 {
	return 12*int64(n)*int64(c) + (20+64*atATime)*int64(n)
}

// servingBytes is the memory of the service while labels diffuse: the last F and the next one, five
// blocks of the columns that are solved for, and the graphs.
func servingBytes(graph *opened.Graph, learned *csr.Matrix, classes, columns int) int64 {
	n := int64(graph.IDs.Len())
	bytes := 8*n*int64(classes) + 20*n*int64(columns) + (20+64*atATime)*n + 4*int64(learned.NNZ()) + 8*n
	if !graph.IsMapped() {
		bytes += graph.W.Bytes() + graph.IDs.Bytes()
	}
	if learned != graph.W {
		bytes += learned.Bytes()
	}
	return bytes
}

// serve answers until ctx ends, and then finishes the requests under way.
func (f *flags) serve(ctx context.Context, listener net.Listener, handler *service.Server) error {
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	server := &http.Server{
		Handler:           handler,
		ErrorLog:          handler.ErrorLog(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      f.timeout + 15*time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    64 << 10,
		BaseContext:       func(net.Listener) context.Context { return work },
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(work, graceTime)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		stop() // solves end with their context
		_ = server.Close()
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
