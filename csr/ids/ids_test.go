package ids

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func tableOf(t *testing.T, names ...string) *Table {
	t.Helper()
	table := NewTable()
	for _, name := range names {
		if _, err := table.Add([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	return table
}

func namesOf(table *Table) (names []string) {
	for i := range table.Len() {
		names = append(names, table.Name(i))
	}
	return names
}

func TestSort(t *testing.T) {
	long := strings.Repeat("9", 300)
	for _, c := range []struct {
		name      string
		add, want []string
	}{
		{"nothing", nil, nil},
		{"by value", []string{"10", "9", "100", "0"}, []string{"0", "9", "10", "100"}},
		{"negative", []string{"1", "-10", "-9", "0", "-1"}, []string{"-10", "-9", "-1", "0", "1"}},
		{"leading zeros", []string{"7", "007", "8", "07", "0006"}, []string{"0006", "007", "07", "7", "8"}},
		{"zeros of all kinds", []string{"1", "0", "-0", "00", "-1"}, []string{"-1", "-0", "0", "00", "1"}},
		{"negative with zeros", []string{"-7", "-07", "-8"}, []string{"-8", "-07", "-7"}},
		{
			"past every integer type",
			[]string{"18446744073709551616", "4294967296", "18446744073709551615", "2147483648", "4294967295", "2147483647", "9223372036854775808"},
			[]string{"2147483647", "2147483648", "4294967295", "4294967296", "9223372036854775808", "18446744073709551615", "18446744073709551616"},
		},
		{"very long", []string{"1" + long, long, "-" + long, "-1" + long, "5"}, []string{"-1" + long, "-" + long, "5", long, "1" + long}},
		{"one word makes all bytes", []string{"10", "9", "x"}, []string{"10", "9", "x"}},
		{"a minus is a word", []string{"10", "9", "-"}, []string{"-", "10", "9"}},
		{"a plus is a word", []string{"10", "9", "+1"}, []string{"+1", "10", "9"}},
		{"a decimal is a word", []string{"10", "9", "1.5"}, []string{"1.5", "10", "9"}},
		{"two minuses", []string{"10", "9", "--1"}, []string{"--1", "10", "9"}},
		{"other digits are words", []string{"10", "9", "٣"}, []string{"10", "9", "٣"}},
		{"bytes, not letters", []string{"ä", "b", "a", "Z", "B", "ab"}, []string{"B", "Z", "a", "ab", "b", "ä"}},
		{"empty name", []string{"1", ""}, []string{"", "1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := tableOf(t, c.add...)
			newOf := table.Sort()
			if got := namesOf(table); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			for old, name := range c.add {
				if i, ok := table.Lookup([]byte(name)); !ok || i != newOf[old] || c.want[i] != name {
					t.Errorf("%q: found as %d (%v), renumbered from %d to %d", name, i, ok, old, newOf[old])
				}
			}
		})
	}
}

// Sort agrees with math/big on random integers, whatever the order of Add.
func TestSortAgainstBig(t *testing.T) {
	for trial := range uint64(50) {
		random := rand.New(rand.NewPCG(trial, 1))
		seen := map[string]bool{}
		for range 200 {
			name := strings.Repeat("0", random.IntN(3))
			if random.IntN(2) == 0 {
				name = "-" + name
			}
			for range 1 + random.IntN(25) {
				name += string(rune('0' + random.IntN(10)))
			}
			seen[name] = true
		}
		var names []string
		for name := range seen {
			names = append(names, name)
		}
		value := func(s string) *big.Int { v, _ := new(big.Int).SetString(s, 10); return v }
		slices.SortFunc(names, func(a, b string) int {
			if c := value(a).Cmp(value(b)); c != 0 {
				return c
			}
			return strings.Compare(a, b)
		})
		shuffled := slices.Clone(names)
		random.Shuffle(len(shuffled), func(p, q int) { shuffled[p], shuffled[q] = shuffled[q], shuffled[p] })
		table := tableOf(t, shuffled...)
		table.Sort()
		if got := namesOf(table); !slices.Equal(got, names) {
			t.Fatalf("trial %d: got %q, want %q", trial, got, names)
		}
	}
}

// The table agrees with a map over many names, before and after Sort, and
// goes on taking names afterwards.
func TestAddAndLookupAgainstMap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	table, want := NewTable(), map[string]uint32{}
	check := func() {
		t.Helper()
		if table.Len() != len(want) {
			t.Fatalf("%d names, want %d", table.Len(), len(want))
		}
		for name, i := range want {
			if got, ok := table.Lookup([]byte(name)); !ok || got != i || table.Name(int(i)) != name {
				t.Fatalf("%q: found as %d (%v), want %d", name, got, ok, i)
			}
			if _, ok := table.Lookup([]byte(name + "!")); ok {
				t.Fatalf("%q is found", name+"!")
			}
		}
	}
	add := func(count int) {
		buffer := []byte{} // reused: the table must copy
		for range count {
			buffer = fmt.Appendf(buffer[:0], "n%x", random.IntN(200_000))
			i, err := table.Add(buffer)
			if err != nil {
				t.Fatal(err)
			}
			before, ok := want[string(buffer)]
			if !ok {
				before = uint32(len(want))
				want[string(buffer)] = before
			}
			if i != before {
				t.Fatalf("%q: number %d, want %d", buffer, i, before)
			}
		}
	}
	for range 3 {
		add(60_000)
		check()
		newOf := table.Sort()
		for name, i := range want {
			want[name] = newOf[i]
		}
		check()
		for i := range table.Len() - 1 {
			if table.Name(i) >= table.Name(i+1) {
				t.Fatalf("%q before %q", table.Name(i), table.Name(i+1))
			}
		}
	}
	if i, ok := NewTable().Lookup(nil); ok {
		t.Errorf("an empty table holds the empty name as %d", i)
	}
}

func TestAppendName(t *testing.T) {
	for _, table := range []*Table{tableOf(t, "0", "1", "2"), Sequence(3)} {
		if got := table.AppendName([]byte("x"), 2); !bytes.Equal(got, []byte("x2")) {
			t.Errorf("got %q", got)
		}
	}
}

// A sequence is the same as a table of its names, but takes no others.
func TestSequence(t *testing.T) {
	const n = 1200
	s, table := Sequence(n), NewTable()
	for i := range n {
		if _, err := table.Add(fmt.Append(nil, i)); err != nil {
			t.Fatal(err)
		}
	}
	if s.Len() != n || !slices.Equal(namesOf(s), namesOf(table)) {
		t.Errorf("%d names", s.Len())
	}
	for _, name := range []string{"0", "7", "1199", "1200", "-1", "-0", "+1", "07", "00", "", "x", "4294967296", "4294967297", "18446744073709551617"} {
		i, ok := s.Lookup([]byte(name))
		j, want := table.Lookup([]byte(name))
		if ok != want || ok && i != j {
			t.Errorf("%q: %d, %v, want %d, %v", name, i, ok, j, want)
		}
	}
	for old, i := range s.Sort() {
		if int(i) != old {
			t.Fatalf("%d is renumbered to %d", old, i)
		}
	}
	if _, err := s.Add([]byte("x")); err == nil {
		t.Error("a sequence took another name")
	}
	if _, ok := Sequence(0).Lookup([]byte("0")); ok || Sequence(0).Len() != 0 {
		t.Error("an empty sequence is not empty")
	}
}

func TestIsInteger(t *testing.T) {
	for name, want := range map[string]bool{"0": true, "-1": true, "007": true, "": false, "-": false, "+1": false, "1e3": false, "1.0": false, "1-": false, " 1": false, "--1": false} {
		if IsInteger([]byte(name)) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// TestFind: names are found as by Lookup, and those that are missing added with their
// hashes, before and after the table grows and is sorted.
func TestFind(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	table, want := NewTable(), map[string]uint32{}
	var hashes Hashes
	for round := range 40 {
		names := make([][]byte, random.IntN(300))
		for k := range names {
			names[k] = fmt.Append(nil, "n", random.IntN(3000))
			if random.IntN(10) == 0 {
				names[k] = []byte(strings.Repeat("common start ", 1+random.IntN(3)))
			}
		}
		numbers := make([]uint32, len(names))
		missing := table.Find(numbers, &hashes, nil, names)
		at := 0
		for k, name := range names {
			number, ok := want[string(name)]
			if isMissing := at < len(missing) && missing[at] == k; isMissing == ok || ok && numbers[k] != number {
				t.Fatalf("round %d: %q is %d, missing %v; want %d, %v", round, name, numbers[k], isMissing, number, ok)
			} else if isMissing {
				at++
			}
		}
		for _, k := range missing {
			i, err := table.AddHashed(names[k], hashes[k])
			before, ok := want[string(names[k])]
			if !ok { // twice in one list
				before = uint32(len(want))
				want[string(names[k])] = before
			}
			if err != nil || i != before {
				t.Fatalf("%q is added as %d, %v; want %d", names[k], i, err, before)
			}
		}
		if round%10 == 9 {
			newOf := table.Sort()
			for name, i := range want {
				want[name] = newOf[i]
			}
		}
	}
	if table.Len() != len(want) || len(want) < 2000 {
		t.Errorf("%d names, want %d", table.Len(), len(want))
	}
}

// TestFindInOtherTables: tables that are not made by Add find names too, and take what
// Add takes.
func TestFindInOtherTables(t *testing.T) {
	text, err := FromText([]byte("abcd"), []uint64{0, 1, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	for name, table := range map[string]*Table{"text": text, "integers": Integers([]int64{-3, 7, 12}), "a sequence": Sequence(3)} {
		names := [][]byte{[]byte("nobody"), []byte(table.Name(2)), nil, []byte(table.Name(0)), []byte("nobody")}
		numbers := make([]uint32, len(names))
		var hashes Hashes
		if missing := table.Find(numbers, &hashes, []int{9}, names); !slices.Equal(missing, []int{9, 0, 2, 4}) || numbers[1] != 2 || numbers[3] != 0 || len(hashes) != len(names) {
			t.Errorf("%s: missing %v, numbers %d", name, missing, numbers)
		}
		for _, k := range []int{0, 4} {
			if i, err := table.AddHashed(names[k], hashes[k]); name == "text" && (i != 3 || err != nil) || name != "text" && err == nil {
				t.Errorf("%s: %q is added as %d, %v", name, names[k], i, err)
			}
		}
		if i, ok := table.Lookup([]byte("nobody")); ok != (name == "text") || ok && i != 3 {
			t.Errorf("%s: what was added is %d, %v", name, i, ok)
		}
	}
}

// TestEqualHashes: names of one hash are told apart.
func TestEqualHashes(t *testing.T) {
	table := NewTable()
	first := map[uint32]string{}
	pairs := 0
	for k := 0; pairs < 5; k++ {
		name := fmt.Sprint("name", k)
		h := table.hash([]byte(name))
		other, ok := first[h]
		if first[h] = name; !ok {
			continue
		}
		pairs++
		i, err := table.Add([]byte(other))
		if err != nil {
			t.Fatal(err)
		}
		var hashes Hashes
		numbers := make([]uint32, 2)
		if missing := table.Find(numbers, &hashes, nil, [][]byte{[]byte(name), []byte(other)}); !slices.Equal(missing, []int{0}) || numbers[1] != i {
			t.Errorf("%q and %q have one hash: missing %v, numbers %d", name, other, missing, numbers)
		}
		if j, err := table.Add([]byte(name)); err != nil || j != i+1 {
			t.Errorf("%q is %d, %v, as %q", name, j, err, other)
		}
	}
}
