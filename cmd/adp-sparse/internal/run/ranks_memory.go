package run

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/ranks"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
	"github.com/adp-sparse/adp-sparse/internal/figures"
)

// rankWays are the ways to run that a rank estimates its memory for: first as the flags ask, then
// those that take less.
var rankWays = []struct {
	name   string
	change func(*adp.Options, *ranks.After)
}{
	{"", func(*adp.Options, *ranks.After) {}},
	{"without --calibrate", func(_ *adp.Options, after *ranks.After) { after.Calibrate = false }},
	{"without --checkpoint", func(o *adp.Options, _ *ranks.After) { o.Checkpoint = nil }},
	{"without --graph-out", func(_ *adp.Options, after *ranks.After) { after.Graph = false }},
	{"--select fast", func(o *adp.Options, _ *ranks.After) { o.Select = adp.Fast }},
	{"--select none", func(o *adp.Options, _ *ranks.After) { o.Select = adp.None }},
	{"--method lgc", func(o *adp.Options, _ *ranks.After) { o.Method = adp.LGC }},
}

// rankNeed is the memory of a rank by each of rankWays. Ranks of the same Shares share a limit.
type rankNeed struct {
	Bytes   []int64
	Shares  string
	Machine bool
	Limit   int64
	From    string
}

// fit refuses a run whose ranks do not fit their memory; the first such rank has the error. It sets
// the garbage collector, and returns the memory of the process with most. All ranks call it
// together.
func (r *rankRun) fit(job *rankJob) (int64, error) {
	need := rankNeed{Limit: r.settings.source.Memory.Bytes, From: r.settings.source.Memory.From, Machine: r.settings.source.Memory.Machine}
	together := ranksOfProcess(r.comm.Size()) > 1 // all ranks are one process
	switch name, err := os.Hostname(); {
	case err != nil:
		return 0, err
	case need.Machine:
		need.Shares = name
	case !together:
		need.Shares = fmt.Sprintf("rank %d", r.comm.Rank())
	}
	measured := ranks.Measure(job.world, job.w, job.seeds.Classes)
	for _, way := range rankWays {
		opt, after := job.opt, ranks.After{Calibrate: r.settings.calibrate, F: r.settings.proba, Graph: r.settings.graphOut != ""}
		if r.settings.checkpoint.file != "" {
			opt.Checkpoint = func(*adp.Snapshot) error { return nil }
		}
		way.change(&opt, &after)
		bytes := limit.WithRuntime(measured.Bytes(opt, after)) + libraryBytes
		if together && r.comm.Rank() > 0 {
			bytes -= limit.RuntimeBytes // rank 0 counts it
		}
		need.Bytes = append(need.Bytes, bytes)
	}
	text, err := json.Marshal(need)
	if err != nil {
		return 0, err
	}
	all := make([]rankNeed, r.comm.Size())
	most, sum := int64(0), int64(0)
	for q, text := range r.comm.Exchange(slices.Repeat([][]byte{text}, len(all))) {
		if err := json.Unmarshal(text, &all[q]); err != nil {
			return 0, err
		}
		most, sum = max(most, all[q].Bytes[0]), sum+all[q].Bytes[0]
	}
	switch ranks, err := judgeNeeds(all, r.folder.Parts(), r.settings.source.Graph); {
	case err != nil && r.comm.Rank() == ranks[0]:
		return 0, err
	case err != nil:
		return 0, &dist.Lost{Rank: ranks[0]}
	}
	if together {
		r.settings.source.Memory.Collect(sum)
		return sum, nil
	}
	r.settings.source.Memory.Collect(need.Bytes[0])
	return most, nil
}

// judgeNeeds returns the first ranks that do not fit the limit that they share, with the error.
func judgeNeeds(all []rankNeed, parts int, folder string) (ranks []int, err error) {
	done := map[string]bool{}
	for q, need := range all {
		if done[need.Shares] {
			continue
		}
		done[need.Shares] = true
		ranks, most, sum := []int(nil), need.Limit, make([]int64, len(rankWays))
		for k := q; k < len(all); k++ {
			if all[k].Shares != need.Shares {
				continue
			}
			ranks, most = append(ranks, k), min(most, all[k].Limit)
			for way, bytes := range all[k].Bytes {
				sum[way] += bytes
			}
		}
		if sum[0] > most {
			return ranks, limit.Error{Message: fmt.Sprintf("%s about %s, the limit is %s (%s); %s", who(need, ranks, len(all)), figures.Bytes(sum[0]), figures.Bytes(most), need.From, help(sum, most, need, len(all), parts, folder))}
		}
	}
	return nil, nil
}

// who names ranks as the subject of an error.
func who(need rankNeed, ranks []int, all int) string {
	text := fmt.Sprintf("rank %d of %d", ranks[0], all)
	if len(ranks) > 1 {
		text = fmt.Sprintf("the %d of %d ranks that begin with rank %d", len(ranks), all, ranks[0])
		if len(ranks) == all {
			text = fmt.Sprintf("all %d ranks", all)
		}
	}
	if need.Machine {
		text += " on " + need.Shares
	}
	if len(ranks) > 1 {
		return text + " together need"
	}
	return text + " needs"
}

// help lists what would fit.
func help(sum []int64, limit int64, need rankNeed, ranks, parts int, folder string) string {
	more := "more processes"
	if need.Machine {
		more = "more machines"
	}
	help := fmt.Sprintf("%s need less each (%s has %d parts", more, folder, parts)
	if ranks == parts {
		help += "; partition --parts makes more"
	}
	help += ")"
	var ways []string
	for k, way := range rankWays[1:] {
		if bytes := sum[k+1]; bytes <= limit {
			ways = append(ways, fmt.Sprintf("%s (%s)", way.name, figures.Bytes(bytes)))
		}
	}
	if len(ways) > 0 {
		help += "; what fits here: " + strings.Join(ways, "; ")
	}
	return help
}
