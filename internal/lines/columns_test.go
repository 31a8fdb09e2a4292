package lines

import (
	"fmt"
	"strings"
	"testing"
)

// TestFindColumn: a title that is a number counts where such titles are in a row, else the number does.
func TestFindColumn(t *testing.T) {
	for _, c := range []struct {
		titles, name string
		titled       bool
		want         string
	}{
		{"id,kind", "kind", true, "1"},
		{"id,kind", "2", true, "1"},
		{"id,kind", "kind", false, "1"},
		{"# id,kind", "id", true, "0"},
		{"id,0,1", "1", true, "2"},
		{"id,0,1", "1", false, "0"},
		{"id,2019,2020", "2020", true, "2"},
		{"1,3,2,4", "2", true, "2"},
		{"5,1,4,2,1", "5", true, "4"},
		{"77,0,1,red", "1", true, "0"},
		{"p,p,q", "p", true, `two columns are named "p"; say its number`},
		{"p,p,q", "2", true, "1"},
		{"p,q", "r", true, `no column named "r" here, expected one of "p", "q", or a number from 1 to 2`},
		{"p,q", "3", true, `no column named "3" here, expected one of "p", "q", or a number from 1 to 2`},
		{"p,q", "3", false, "2 columns, expected column 3"},
		{"p,q", "0", false, "2 columns, expected column 0; columns count from 1"},
	} {
		k, err := FindColumn(strings.Split(c.titles, ","), c.name, c.titled, " here")
		got := fmt.Sprint(k)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s of %s: %s, want %s", c.name, c.titles, got, c.want)
		}
	}
}

// TestFindEnds: the ends are found in letters of any case, as they stand first.
func TestFindEnds(t *testing.T) {
	for titles, want := range map[string]string{
		"w,Source,Target": "1 2 true", "Source,source,target": "1 2 true", "from,to,src,dst": "2 3 true",
		"id1,id2": "0 1 true", "from,target": "0 0 false",
	} {
		src, dst, ok := FindEnds(strings.Split(titles, ","))
		if got := fmt.Sprint(src, dst, ok); got != want {
			t.Errorf("%s: %s, want %s", titles, got, want)
		}
	}
}

// TestNumberTitles: a line of numbers is titles where they count the columns.
func TestNumberTitles(t *testing.T) {
	for titles, want := range map[string]bool{
		"0,1,2": true, "1,3,2,4": true, "0,1,2,3,4,kind": true, "2001,2002,2003,2004,2005": true,
		"1,2,3": false, "5,1,4,2,1": false, "5.1,3,4,5,6,7": false, "1,2,x": false, "5,1,4,2,3,x": false, "a,b": false,
	} {
		if got := NumberTitles(strings.Split(titles, ",")); got != want {
			t.Errorf("%s: %v, want %v", titles, got, want)
		}
	}
}
