package exits

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
)

// adviser is an error that says how to go on.
type adviser interface {
	error
	Advice() string
}

// Report prints the error that a program ends with and returns the exit code for it. has reports
// whether the command at hand has a flag.
func Report(ctx context.Context, w io.Writer, program string, has func(flag string) bool, err error) int {
	if err == nil {
		return OK
	}
	code := codeOf(ctx, err)
	log := streams.ConsoleOf(w)
	if code == Elsewhere || code == Gone && !log.JSON {
		return code
	}
	message := oneLine(asFlags(err.Error(), has))
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		message = "interrupted; no output was written"
	}
	var advised adviser
	if errors.As(err, &advised) {
		message += "; " + advised.Advice()
	}
	log.Fail(program, streams.Clean(message), code)
	return code
}

// oneLine puts the lines of a message, several faults or the name of a file that has some, in
// one: the line that begins with the program's name says all that is wrong, and once what
// several steps met.
func oneLine(message string) string {
	var parts []string
	for part := range strings.FieldsFuncSeq(message, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if part = strings.TrimSpace(part); part != "" && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "; ")
}

// otherwise are flags that commands with another flag name otherwise.
var otherwise = []struct{ has, says, means string }{
	{"truth-header", "--labels-header", "--truth-header"},
	{"truth", "run --multilabel", "eval --multilabel"},
	{"truth", "--labels nodes.csv", "--truth nodes.csv"},
}

// asFlags says with flags of a command what the errors of packages say with options of theirs.
func asFlags(message string, has func(flag string) bool) string {
	message = AsFlags.Replace(message)
	for _, flag := range otherwise {
		if has(flag.has) {
			message = strings.ReplaceAll(message, flag.says, flag.means)
		}
	}
	return message
}

// AsFlags says with flags what the errors of packages say with options of theirs.
var AsFlags = strings.NewReplacer(
	"labelfile.Options.Header", "--labels-header",
	"labelfile.Options.SkipUnknown", "--unknown-labels skip",
	"labelfile.Options.Multi", "run --multilabel",
	"labelfile.Options.Match", "--match",
	"labelfile.Columns.ID", "--label-id",
	"labelfile.Columns.Rows", "--label-rows",
	"to labelfile.ReadColumns", "as --labels",
	"to npz.Read", "as --graph",
	"to vecs.ReadDistances", "as --neighbors",
	"labelfile.Columns.Label", "--label-column",
	"labelfile.Columns.Weight", "--label-weight",
	"csr.DuplicatesError", "--duplicates error",
	"edgelist.HeaderYes", "--header yes",
	"edgelist.HeaderNo", "--header no",
	"edgelist.Options.Directed", "--directed",
	"edgelist.Options.Bipartite", "--bipartite",
	"edgelist.Options.Columns", "--columns",
	"graphml.Options.Weight", "--weight-key",
	"graphml.Options.Name", "--name-key",
	"edgeparquet.Options.Columns", "--columns",
	"Options.Comments", "--comment",
	"vecs.Options.Array", "--array",
	"vecs.Options.Format", "--format",
	"vecs.Options.IDColumn", "--id-column",
	"vecs.Options.Without", "--drop-columns",
	"vecs.Options.Categories", "--categories",
	"vecs.Options.Impute", "--impute mean",
	"vecs.Options.Titles", "the model",
)
