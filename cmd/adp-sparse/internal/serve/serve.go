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
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/methodflags"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/needs"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/source"
	"github.com/adp-sparse/adp-sparse/cmd/internal/inputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/program"
	"github.com/adp-sparse/adp-sparse/cmd/internal/progress"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/service"
)

// flags are the flags of `serve`.
type flags struct {
	source.Flags
	listen, tokenFile string
	labelsOut         string
	items, itemsRoot  string
	itemsID, picture  string // columns of items
	imageShape        string
	shape             service.Shape // zero for none
	method, pick      string
	combineBy         string
	combine           fit.Combine
	timeout           time.Duration
	quiet             bool
	opt               adp.Options
	token             string
	started           func(address string) // in tests: the service listens
	given             func(flag string) bool
	flag              func(name string) string // its value
}

func New(std streams.Stdio) *cobra.Command {
	return NewWith(std, func(string) {})
}

func NewWith(std streams.Stdio, started func(address string)) *cobra.Command {
	f := flags{Flags: source.Flags{OneLabelFor: "serve"}, started: started}
	cmd := &cobra.Command{
		Use:   "serve (--edges | --graph | --features) FILE [--labels FILE] [--items FILE]",
		Short: "A page to label the nodes of a graph on, and JSON for programs",
		Long: `Labels the graph and learns it, as ` + "`run`" + ` does, and then serves a
page for people and JSON for programs (/openapi.json): the label of a node, why it has it,
its neighbours in the learned graph, which node to label next, and what changes
when a label is given. Without --labels the page asks for first labels.

From two classes on predictions are those of run's mixture, of edges alone too, made anew
after each label in the background. Reasons, and all where run mixes none, are of label spreading.

Labels are saved in --labels-out before a request is answered. A service that is
started again goes on from there. The file can be --labels of run. --items shows
texts or pictures of the nodes, --image-shape vectors that are pixels.

Only this machine reaches the service. For others give another --listen and a
token: requests to /v1/ then need the header "Authorization: Bearer TOKEN". HTTP
is not encrypted: past a network that you trust, put a proxy with TLS before it.
SIGTERM and Ctrl-C end the service when open requests are answered.`,
		Example: `  adp-sparse serve --graph graph.csr --labels labels.tsv
  adp-sparse serve --features vectors.npy --k 10 --labels labels.tsv --listen 127.0.0.1:9000
  adp-sparse serve --edges graph.tsv.gz --labels labels.tsv --listen :8650 --token-file token
  curl 'http://127.0.0.1:8650/v1/explain?node=n17'
  curl http://127.0.0.1:8650/v1/labels --json '{"labels": [{"node": "n17", "label": "red"}]}'`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.given = cmd.Flags().Changed
			f.flag = func(name string) string { return cmd.Flags().Lookup(name).Value.String() }
			return f.run(cmd.Context(), std)
		},
	}
	f.Bind(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.listen, "listen", "127.0.0.1:8650", "address and port; port 0 takes a free one\nStandard error tells which.")
	flags.StringVar(&f.tokenFile, "token-file", "", fmt.Sprintf("file with the token that requests need\nAt least %d letters. It must be given where --listen is not this machine alone.", LeastToken))
	flags.StringVar(&f.labelsOut, "labels-out", "", "file that has all known labels at any time (.tsv)\nIf it is there, the service goes on from it. Default: NAME.given.tsv beside --labels, or beside the graph.")
	flags.StringVar(&f.items, "items", "", "what the nodes stand for: a table, or vectors that are pictures\n.csv, .tsv, .jsonl or .parquet with a column of node ids, or a row a node in their order. With --image-shape also .npy, whose rows are pictures.")
	flags.StringVar(&f.itemsID, "items-id", "", "column of --items that holds the node ids\nDefault: id or node if there, else rows are nodes in their order.")
	flags.StringVar(&f.itemsRoot, "items-root", "", "folder of the pictures that a column of --items names")
	flags.StringVar(&f.picture, "items-image", "", "column of --items with the paths of pictures\nDefault: image, picture, path, file or filename.")
	flags.StringVar(&f.imageShape, "image-shape", "", "vectors are pictures: HEIGHTxWIDTH, or HEIGHTxWIDTHx3 in colour\nThe rows of --features, or of --items FILE.npy. The least value is black. 28x28,columns where values come by columns, as in MATLAB.")
	flags.StringVar(&f.method, "method", "adp", "adp learns the graph; lgc spreads labels on the given one")
	flags.StringVar(&f.pick, "select", "auto", "how rounds are chosen, as in run: auto, full, fast or none")
	flags.StringVar(&f.combineBy, "combine", "auto", "auto (the mixture of run) or none\nnone, --alpha, --method lgc, --select none and --neighbors take the graph alone.")
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
	if f.combine, err = usage.Choose("combine", f.combineBy, methodflags.Combines); err != nil {
		return err
	}
	f.opt.Threads = f.Threads
	mixes := f.mixes()
	f.Features.Combine, f.Features.Unlabelled = mixes.MayCombine(), true
	return f.checkItems()
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
	labels, err := f.keep(std) // which holds others off
	if err != nil {
		return err
	}
	defer labels.Close()
	graph, err := f.Read(ctx, std)
	if err != nil {
		return err
	}
	defer graph.Close()
	items, err := f.readItems(std, graph)
	if err != nil {
		return err
	}
	if items != nil && items.Root != nil {
		defer items.Root.Close()
	}
	var model *service.Model
	if err := graph.Guard(func() error {
		model, err = f.learn(ctx, std, graph, labels, items)
		return err
	}); err != nil {
		return err
	}
	server := service.NewServer(model, service.Options{
		Version: program.Version(), Token: f.token, Timeout: f.timeout, Concurrent: atATime, Guard: graph.Guard,
		SavedIn: labels.path, Items: items,
		Log: func(err error) { fmt.Fprintf(std.Err, "adp-sparse: %s\n", streams.Clean(err.Error())) },
	})
	defer server.Close()
	fmt.Fprintf(std.Err, "serving on http://%s/\n", listener.Addr())
	f.started(listener.Addr().String())
	return f.serve(ctx, listener, server)
}

// mixes are the options of a run whose answer is a mixture.
func (f *flags) mixes() fit.Options {
	opt := methodflags.PlainRun(f.Threads)
	opt.Run.Method, opt.Run.Select, opt.Run.Alpha, opt.Run.ClassColumns = f.opt.Method, f.opt.Select, f.opt.Alpha, f.opt.ClassColumns
	opt.Combine = f.combine
	return opt
}

// learn labels the graph and learns it. Without a label the graph is as it is.
func (f *flags) learn(ctx context.Context, std streams.Stdio, graph *opened.Graph, file *kept, items *service.Items) (*service.Model, error) {
	labels, known, before, err := f.known(std, graph, file)
	if err != nil {
		return nil, err
	}
	n, c := graph.IDs.Len(), len(known.Classes)
	least := max(c, 1)
	work := needs.Work{Opt: f.opt, Beside: serveBytes(n, least) + items.Bytes()}
	if graph.Input != nil { // from two classes on, which may come
		least = max(c, 2)
		work.Opt, work.Input = f.mixes().Run, graph.Mixes(known.Seeds.Of(least))
	}
	fitting, err := needs.Fits(f.Memory, work, graph, least)
	if err != nil {
		return nil, err
	}
	f.opt.ClassColumns = fitting.Opt.ClassColumns
	// Corrections diffuse all classes at once; the run may take a few at a time.
	g := service.Graphs{Names: graph.IDs, Original: graph.W, Learned: graph.W, Classes: known.Classes, Seeds: known.Seeds, Before: &before, Keep: file.write}
	g.Fits = func(classes, columns int) error {
		bytes := servingBytes(graph, g.Learned, classes, columns) + items.Bytes()
		if graph.Input != nil {
			mixing := fitting
			mixing.Input = graph.Mixes(known.Seeds.Of(max(classes, 2)))
			bytes += mixing.Bytes(graph, max(classes, 2)) - graph.Held()
		}
		if err := f.Memory.Allows(fmt.Sprintf("spreading labels of %d classes", classes), bytes); err != nil {
			return err
		}
		f.Memory.Collect(max(limit.WithRuntime(bytes), fitting.Peak(graph, least)))
		return nil
	}
	if err := g.Fits(c, c); err != nil {
		return nil, err
	}
	if graph.Input != nil {
		f.mix(std, graph, &g)
	}
	alpha, isLearned := f.opt.Alpha, false
	found := report.Warnings{}
	of, sizes := csr.Components(graph.W, f.Threads)
	seedless := 0
	if c > 0 {
		result, err := f.label(ctx, std, graph, known, &g)
		if err != nil {
			return nil, err
		}
		chosen := result.Rounds[result.Chosen]
		if alpha = chosen.Alpha; chosen.TopK != 0 {
			g.Learned, isLearned = result.Graph, true
		}
		found = append(report.NewResults(known.Classes, known.Seeds).Warnings, result.Warnings...)
		seedless = len(sizes) - report.ReachedComponents(of, known.Seeds)
	}
	if !f.quiet {
		t := tabwriter.NewWriter(std.Err, 0, 0, 2, ' ', 0)
		graph.Built.Print(t)
		t.Flush()
		fmt.Fprintf(std.Err, "%s nodes, %s known labels in %d classes; %s\n", figures.Count(n), figures.Count(len(known.Seeds.List())), c, map[bool]string{true: "the graph is learned", false: "labels spread on the graph as it is"}[isLearned])
		found.AddGiven(graph, labels, seedless, len(sizes))
		found.Print(std.Err)
	}
	return service.New(ctx, g, diffuse.Options{Alpha: alpha, Threads: f.Threads})
}

// mix lets the service make the mixture of run of the labels that come.
func (f *flags) mix(std streams.Stdio, graph *opened.Graph, g *service.Graphs) {
	g.Mixture = func(ctx context.Context, known service.Known) (p *csr.Dense, err error) {
		err = graph.Guard(func() error {
			again, err := fit.LabelInput(ctx, *graph.Mixes(known.Seeds), graph.Affinity(), f.mixes())
			if err == nil {
				p = again.F
			}
			return err
		})
		return p, err
	}
	g.Fault = func(err error) {
		fmt.Fprintf(std.Err, "adp-sparse: the mixture of methods was not made anew: %s\n", streams.Clean(err.Error()))
	}
}

// label labels the nodes: as run does where there are two classes; else on the graph, with classes of equal
// size, as in the diffusion of corrections.
func (f *flags) label(ctx context.Context, std streams.Stdio, graph *opened.Graph, known service.Known, g *service.Graphs) (*fit.Result, error) {
	if graph.Input == nil || len(known.Classes) < 2 {
		show := report.NewRoundBar(std.Err, f.opt.Steps(graph.IDs.Len(), len(known.Classes)))
		defer show.End()
		f.opt.Observer, f.opt.Progress = show.Round, show.Add
		return fit.Label(ctx, graph.W, known.Seeds, fit.Options{Run: f.opt, Prior: fit.EqualPrior})
	}
	shown, start := progress.New(std.Err, "labelling by the mixture of methods", progress.Unknown, false), time.Now()
	defer shown.End()
	result, err := fit.LabelInput(ctx, *graph.Mixes(known.Seeds), graph.Affinity(), f.mixes())
	if err != nil {
		return nil, err
	}
	g.Mixed, g.Took = result.F, time.Since(start)
	return result, nil
}

// known returns what is known: what an earlier service kept, else --labels; and what the latter say,
// which are read in both cases.
func (f *flags) known(std streams.Stdio, graph *opened.Graph, file *kept) (labels *labelfile.Labels, known, before service.Known, err error) {
	labels = &labelfile.Labels{}
	if f.Labels != "" {
		if labels, err = f.ReadLabels(std, graph); err != nil {
			return nil, known, before, err
		}
	}
	if before, err = knownOf(labels, graph); err != nil {
		return nil, known, before, err
	}
	earlier, err := file.read(std, graph)
	if earlier == nil || err != nil {
		return labels, before, before, err
	}
	if known, err = knownOf(earlier, graph); err != nil {
		return nil, known, before, err
	}
	fmt.Fprintf(std.Err, "goes on from %s: %s\n", streams.Clean(file.path), figures.Counted(len(known.Seeds.List()), "known label"))
	if differ := known.Differ(before); f.Labels != "" && differ > 0 {
		fmt.Fprintf(std.Err, "the labels of %s differ from %s: given or taken away here, or changed there since. To begin anew from that file, say another --labels-out\n",
			figures.Counted(differ, "node"), streams.Clean(f.Labels))
	}
	return labels, known, before, nil
}

// knownOf returns labels as the service has them.
func knownOf(labels *labelfile.Labels, graph *opened.Graph) (service.Known, error) {
	n := graph.IDs.Len()
	if len(labels.Seeds) == 0 {
		return service.Known{Seeds: &diffuse.Seeds{Nodes: n}}, nil
	}
	seeds, err := diffuse.NewSeeds(n, len(labels.Classes), labels.Seeds)
	return service.Known{Classes: labels.Classes, Seeds: seeds}, err
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
