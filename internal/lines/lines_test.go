package lines

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// read returns the fields of all data lines joined by '|', and the line
// numbers.
func read(s *Scanner) (rows []string, numbers []int) {
	for s.Scan() {
		var fields []string
		for _, f := range s.Fields() {
			fields = append(fields, string(f))
		}
		rows = append(rows, strings.Join(fields, "|"))
		numbers = append(numbers, s.Line())
	}
	return rows, numbers
}

func TestScanner(t *testing.T) {
	for _, c := range []struct {
		name, text string
		rows       []string
		numbers    []int
	}{
		{"tabs", "a\tb\t1\nc\td\n", []string{"a|b|1", "c|d"}, []int{1, 2}},
		{"commas", "a,b,1\n c , d\n", []string{"a|b|1", "c|d"}, []int{1, 2}},
		{"tabs around the fields of a comma file", "a,b\nc,\td\t,1\n\te,f\n", []string{"a|b", "c|d|1", "e|f"}, []int{1, 2, 3}},
		{"runs of spaces", "a b\n  c    d   2  \n", []string{"a|b", "c|d|2"}, []int{1, 2}},
		{"CRLF", "a b\r\nc d\r\n", []string{"a|b", "c|d"}, []int{1, 2}},
		{"no newline at the end", "a b\nc d", []string{"a|b", "c|d"}, []int{1, 2}},
		{"byte order mark", "\xef\xbb\xbfa b\n", []string{"a|b"}, []int{1}},
		{"byte order mark before a comment", "\xef\xbb\xbf# x\na b\n", []string{"a|b"}, []int{2}},
		{"byte order mark on another line is text", "a b\n\xef\xbb\xbfc d\n", []string{"a|b", "\ufeffc|d"}, []int{1, 2}},
		{"comments", "# x\n% y\n  # z\na b\n#\n", []string{"a|b"}, []int{4}},
		{"comments hold any bytes", "# \x00\xff\na b\n", []string{"a|b"}, []int{2}},
		{"blank lines", "\n  \n\t\t\n\r\na b\n\n", []string{"a|b"}, []int{5}},
		{"tab wins over comma and space", "x, y\tb c\n", []string{"x, y|b c"}, []int{1}},
		{"comma wins over space", "x y,b c\n", []string{"x y|b c"}, []int{1}},
		{"a comma in a tab file", "a\tb\nc,d\te\n", []string{"a|b", "c,d|e"}, []int{1, 2}},
		{"empty fields", "a\t\tb\n\tc\n,\n", []string{"a||b", "|c", ","}, []int{1, 2, 3}},
		{"empty first field at a comma", "a,b\n,c\n", []string{"a|b", "|c"}, []int{1, 2}},
		{"a trailing tab is blank", "a\tb\t\n", []string{"a|b"}, []int{1}},
		{"a trailing comma opens a field", "a,b,\n", []string{"a|b|"}, []int{1}},
		{"quotes between commas", "\"a, b\",\"c\"\n \"d\" ,\" e\"\t,1\n", []string{"a, b|c", "d|e|1"}, []int{1, 2}},
		{"quotes that are doubled", "a,\"\"\"b\"\"c\"\n\"\"\"\",\"\"\n", []string{"a|\"b\"c", "\"|"}, []int{1, 2}},
		{"a comma after a quoted field", "\"a\",\n", []string{"a|"}, []int{1}},
		{"a quote inside a field", "a\"b,c\"\n", []string{"a\"b|c\""}, []int{1}},
		{"a quoted name that would start a comment", "\"#a\",b\n", []string{"#a|b"}, []int{1}},
		{"quotes between tabs and spaces stay", "\"a\"\t\"b\"\n", []string{"\"a\"|\"b\""}, []int{1}},
		{"unicode", "日本 Zürich\n", []string{"日本|Zürich"}, []int{1}},
		{"nothing", "", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			// One byte at a time: nothing may depend on the pieces read.
			for _, r := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text))} {
				s := NewScanner(r, "f")
				rows, numbers := read(s)
				if !slices.Equal(rows, c.rows) || !slices.Equal(numbers, c.numbers) || s.Err() != nil {
					t.Errorf("got %q on lines %v, error %v; want %q on lines %v", rows, numbers, s.Err(), c.rows, c.numbers)
				}
			}
		})
	}
}

func TestScannerTakesSemicolons(t *testing.T) {
	for text, want := range map[string]string{
		"a b;c\n\"d;\"\"e\"; f\n": "a b|c d;\"e|f",
		"a;b,c\n1;2,5\n":          "a|b,c 1|2,5",
		"a,b;c\n":                 "a|b;c",
		"a;b\tc,d\n":              "a;b|c,d",
		"a b\nc; d\n":             "a|b c;|d",
	} {
		s := NewScanner(strings.NewReader(text), "f")
		s.TakeSemicolons()
		if rows, _ := read(s); strings.Join(rows, " ") != want || s.Err() != nil {
			t.Errorf("%q: got %q, %v", text, rows, s.Err())
		}
	}
	s := NewScanner(strings.NewReader("a;b\n"), "f")
	if rows, _ := read(s); !slices.Equal(rows, []string{"a;b"}) {
		t.Errorf("semicolons that were not asked for: %q", rows)
	}
}

func TestScannerKeepsComments(t *testing.T) {
	s := NewScanner(strings.NewReader("a\tb\n#c\td\n\n%\te\n"), "f")
	s.KeepComments()
	if rows, _ := read(s); !slices.Equal(rows, []string{"a|b", "#c|d", "%|e"}) {
		t.Errorf("got %q", rows)
	}
}

func TestScannerFaults(t *testing.T) {
	long := strings.Repeat("x", MaxLine)
	for _, c := range []struct{ name, text, want string }{
		{"control byte", "a b\nc\x01d e\n", "f:2: control byte 0x01"},
		{"DEL", "a b\x7f\n", "f:1: control byte 0x7f"},
		{"NUL", "a b\n\x00\n", "f:2: control byte 0x00"},
		{"CR inside", "a b\rc d\r", "f:1: control byte 0x0d"},
		{"UTF-16", "\xff\xfea\x00 \x00b\x00\n\x00", "f:1: control byte 0x00, expected UTF-8 text; this looks like UTF-16: save it as UTF-8, such as by iconv -f UTF-16 -t UTF-8"},
		{"UTF-16 without a mark", "a\x00 \x00b\x00\n\x00", "f:1: control byte 0x00, expected UTF-8 text; this looks like UTF-16"},
		{"an array of numpy", "\x93NUMPY\x01\x00v\x00", "f:1: control byte 0x01, expected UTF-8 text; this is an array of numpy, expected with the ending .npy, where vectors or labels are"},
		{"not UTF-8", "a b\nZ\xfcrich c\n", `f:2: "Z\xfcrich c" is not UTF-8`},
		{"long line", "a b\n" + long + " y\n", "f:2: line longer than 1048576 bytes"},
		{"long comment", "#" + long + "\n", "f:1: line longer than 1048576 bytes"},
		{"long last line", long + "y", "f:1: line longer than 1048576 bytes"},
		{"a quote that stays open", "a,b\n\"a,b\n", `f:2: a quote that stays open in "\"a,b", expected quotes as in RFC 4180, and no line end between them`},
		{"a doubled quote at the end", "a,\"b\"\"\n", `f:1: a quote that stays open in "\"b\"\""`},
		{"text after a quoted field", "a,\"b\" c,d\n", `f:1: "c,d" after a quoted field, expected quotes as in RFC 4180`},
		{"tab in a file of spaces", "a b\na\tb 3\n", `f:2: tab in "a\tb 3"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := NewScanner(strings.NewReader(c.text), "f")
			read(s)
			err := s.Err()
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got %v, want %s…", err, c.want)
			}
			if !errors.Is(err, ErrSyntax) {
				t.Errorf("%v is no ErrSyntax", err)
			}
			if s.Scan() {
				t.Error("went on after the error")
			}
		})
	}
}

func TestLongestLine(t *testing.T) {
	text := strings.Repeat("x", MaxLine-3) + " y\n"
	s := NewScanner(strings.NewReader(text+"a b\n"), "f")
	if rows, _ := read(s); len(rows) != 2 || s.Err() != nil {
		t.Errorf("%d rows, error %v", len(rows), s.Err())
	}
}

func TestScannerReadError(t *testing.T) {
	cause := errors.New("disk gone")
	s := NewScanner(io.MultiReader(strings.NewReader("a b\nc d\ne "), iotest.ErrReader(cause)), "f")
	rows, _ := read(s)
	var fault *ReadError
	if !errors.As(s.Err(), &fault) || !errors.Is(s.Err(), cause) {
		t.Fatalf("got %v", s.Err())
	}
	if want := "f: reading after line 2: disk gone"; fault.Error() != want || len(rows) != 2 {
		t.Errorf("got %q after %q, want %q after 2 rows", fault, rows, want)
	}
	if errors.Is(s.Err(), ErrSyntax) {
		t.Error("a failure to read is not the file's content")
	}
}

func TestWeight(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "7": 7, "9": 9, "10": 10, "007": 7, "0.5": 0.5, ".5": 0.5, "5.": 5, "+1": 1, "1e3": 1000, "1E-3": 0.001,
		"1e-300": 1e-300, "1e300": 1e300, "5e-324": 5e-324, "0e999999999": 0, "-0": 0, "0.000": 0, "0e5": 0,
		"1.7976931348623157e308": 1.7976931348623157e308,
	} {
		s := NewScanner(strings.NewReader("a,b,"+text), "f")
		s.Scan()
		if got, err := s.Weight(2); got != want || err != nil {
			t.Errorf("%q: got %v, %v, want %v", text, got, err, want)
		}
	}
	const notDecimal, notFinite, outOfRange = "is not a decimal number", "is not finite", "is out of the range of float64"
	for text, want := range map[string]string{
		"nan": notFinite, "NaN": notFinite, "inf": notFinite, "-inf": notFinite, "+Infinity": notFinite,
		"-1": "is negative", "-1e-5": "is negative", "0x1p-2": notDecimal, "0x10": notDecimal, "1_000": notDecimal,
		"1e400": outOfRange, "1e-400": outOfRange, "0.0e0001x": notDecimal, "one": notDecimal, "": "is missing",
		"1.2.3": notDecimal, "1e": notDecimal, "--1": notDecimal, "1 2": notDecimal, "٣": notDecimal, "/": notDecimal, ":": notDecimal,
	} {
		s := NewScanner(strings.NewReader("a,b,"+text), "f")
		s.Scan()
		_, err := s.Weight(2)
		if err == nil || !strings.HasPrefix(err.Error(), "f:1: weight "+Quote([]byte(text))+" "+want) || !errors.Is(err, ErrSyntax) {
			t.Errorf("%q: got %v, want it to say: %s", text, err, want)
		}
	}
}

func TestID(t *testing.T) {
	s := NewScanner(strings.NewReader("a,,c"), "f")
	s.Scan()
	if id, err := s.ID(2, "label"); string(id) != "c" || err != nil {
		t.Errorf("got %q, %v", id, err)
	}
	if _, err := s.ID(1, "label"); err == nil || err.Error() != "f:1: empty label in column 2" {
		t.Errorf("got %v", err)
	}
}

func TestErrorWithoutLine(t *testing.T) {
	if got := (&Error{File: "f", Msg: "m"}).Error(); got != "f: m" {
		t.Errorf("got %q", got)
	}
}

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"a":                      `"a"`,
		"\x1b[31m\"ü":            `"\x1b[31m\"ü"`,
		"节点 Höhe":                `"节点 Höhe"`,
		"−5":                     `"\u22125"`,
		"Ho\u0308he":             `"Ho\u0308he"`,
		"a\u00a0b\u202e":         `"a\u00a0b\u202e"`,
		"\xff":                   `"\xff"`,
		strings.Repeat("x", 60):  `"` + strings.Repeat("x", 60) + `"`,
		strings.Repeat("x", 999): `"` + strings.Repeat("x", 60) + `"…`,
	} {
		if got := Quote([]byte(text)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A name passes CheckName exactly when it comes back from a file.
func TestCheckName(t *testing.T) {
	names := []string{"a", "a b", "ü", "#a", "", " a", "a ", "\ta", "a\t", "a\tb", "a,b", "a\nb", "a\rb", "a\r", "\x00", "\x7f", "\xff", "日本", "\u0085", `"a"`}
	for _, separator := range []byte{'\t', ','} {
		for _, name := range names {
			text := fmt.Sprintf("x%cy%cz\nx%c%s%cz\n", separator, separator, separator, name, separator)
			s := NewScanner(strings.NewReader(text), "f")
			rows, _ := read(s)
			back := s.Err() == nil && len(rows) == 2 && rows[1] == "x|"+name+"|z"
			err := CheckName([]byte(name), separator)
			// A tab in a comma file comes back from any line but the first.
			if back && name != "" && !(separator == ',' && strings.Contains(name, "\t")) != (err == nil) {
				t.Errorf("%q with separator %q: comes back %v, CheckName says %v", name, separator, back, err)
			}
			if err != nil && !errors.Is(err, ErrName) {
				t.Errorf("%v is no ErrName", err)
			}
		}
	}
	for _, name := range []string{"", " a", "a ", "a\tb", "a,b", "a\nb", "\xff"} {
		if CheckName([]byte(name), ',') == nil {
			t.Errorf("%q passed", name)
		}
	}
}
