package source

import (
	"strconv"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// TestDoubtRows: a file that counts its rows from 1 has a note where no label tells how labels count, and a doubt where
// they seem to count from 1; others have none.
func TestDoubtRows(t *testing.T) {
	for k, c := range []struct {
		fromOne  bool
		labelled []uint32
		want     string
	}{
		{true, []uint32{2, 4}, "rows-from-zero "},
		{true, []uint32{0, 4}, ""},
		{true, []uint32{0, 1}, ""},
		{true, []uint32{1, 4}, "counted-from-one doubtful "},
		{false, []uint32{2, 4}, ""},
		{false, []uint32{1, 4}, ""},
	} {
		t.Run(strconv.Itoa(k), func(t *testing.T) {
			var labels labelfile.Labels
			for _, i := range c.labelled {
				labels.Seeds = append(labels.Seeds, diffuse.Seed{Node: i})
			}
			(&Flags{fromOne: c.fromOne}).doubtRows(&labels, ids.Sequence(5))
			got := ""
			for _, n := range labels.Notes {
				got += n.Code + " "
				if n.Advice != "" {
					got += "doubtful "
				}
			}
			if got != c.want {
				t.Errorf("%v: got %q, want %q", c, got, c.want)
			}
		})
	}
}
