package edgelist

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// TestPairs: numbers of every length and their neighbours in lines of two
// numbers, with other text in any place but the first lines.
func TestPairs(t *testing.T) {
	for _, id := range []string{
		"7", "42", "123456", "1234567", "12345678", "123456789", "1234567890", "4294967295", "4294967296", "12345678901",
		"1234567890123456", "12345678901234567", "123456789012345678901234567",
		"0", "00", "07", "0000007", "01234567", "012345678", "-7", "+7", "7.0", "1e3", "x7", "7x",
	} {
		for _, line := range []string{id + "\t3\n", "3\t" + id + "\n", id + "\t3", "3\t" + id, id + "\t3\r\n", id + "\t3\t1\n"} {
			list, err := Parse(strings.NewReader(strings.Repeat("1\t2\n", 5)+line), "f", Options{Header: HeaderNo, Duplicates: csr.DuplicatesSum})
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
	usual := blockSize
	defer func() { blockSize = usual }()
	for _, line := range []string{
		"999999999\t1", "9999999999\t1", "1\t9999999999", "00000000012\t1", "1\t00000000012", "7,8", "7 8", "7.8\t9", "7\t8\t", "7\t8\r", "7\t8\r9",
		"7\t8\r\r", "7\t8\r\t9", "7\t8\rx", "7\t8 ", " 7\t8", "7\t\t8", "7\t8\xba9", "\xba9\t8", "7\xff\t9", "#7\t8", "", "7\t8\t0.5", "7\t-8",
	} {
		for _, text := range []string{strings.Repeat("1\t2\n", 5) + line + "\n3\t9\n", strings.Repeat("1\t2\n", 5) + line} {
			sameByRules(t, text, usual, 24, 5)
		}
	}
	for _, line := range []string{"7\n", "7\t\n", "\t7\n", "7\t8\t9\t1\n"} {
		_, err := Parse(strings.NewReader(strings.Repeat("1\t2\n", 5)+line), "f", Options{})
		if err == nil || !strings.Contains(fmt.Sprint(err), "f:6: ") {
			t.Errorf("%q: %v, expected an error of line 6", line, err)
		}
	}
}
