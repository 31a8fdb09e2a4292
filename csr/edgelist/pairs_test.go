package edgelist

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// TestPairs: numbers of every length and their neighbours in lines of two
// numbers, with what is no plain number in any place but the first line.
func TestPairs(t *testing.T) {
	for _, id := range []string{
		"7", "42", "123456", "1234567", "12345678", "123456789", "1234567890123456", "12345678901234567",
		"0", "00", "07", "0000007", "01234567", "012345678", "-7", "+7", "7.0", "1e3", "x7", "7x",
	} {
		for _, line := range []string{id + "\t3\n", "3\t" + id + "\n", id + "\t3", "3\t" + id, id + "\t3\r\n", id + "\t3\t1\n"} {
			list, err := Parse(strings.NewReader("1\t2\n"+line), "f", Options{Header: HeaderNo, Duplicates: csr.DuplicatesSum})
			if err != nil {
				t.Errorf("%q: %v", line, err)
				continue
			}
			var names []string
			for i := range list.IDs.Len() {
				names = append(names, list.IDs.Name(i))
			}
			list.Close()
			slices.Sort(names)
			want := []string{"1", "2", "3", id}
			slices.Sort(want)
			if !slices.Equal(names, want) {
				t.Errorf("%q: nodes %q, expected %q", line, names, want)
			}
		}
	}
	for _, line := range []string{"7\n", "7\t\n", "\t7\n", "7\t8\t9\t1\n"} {
		_, err := Parse(strings.NewReader("1\t2\n3\t4\n"+line), "f", Options{})
		if err == nil || !strings.Contains(fmt.Sprint(err), "3") {
			t.Errorf("%q: %v, expected an error of line 3", line, err)
		}
	}
}
