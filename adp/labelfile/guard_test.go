package labelfile_test

import (
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
)

// TestGuard: between commas a spreadsheet computes with no name, and numbers stay numbers; between
// tabs, and without Guard, names are as they are.
func TestGuard(t *testing.T) {
	for name, want := range map[string]string{
		"=1+1": `"'=1+1"`, "+a": `"'+a"`, "-a": `"'-a"`, "@a": `"'@a"`, "＝1": `"'＝1"`, "＋1": `"'＋1"`, "－1": `"'－1"`, "＠a": `"'＠a"`,
		"-0.5": `"-0.5"`, "+1e5": `"+1e5"`, "-1+2": `"'-1+2"`, "-": `"'-"`, "-inf": `"'-inf"`, "a;=1": `"a;=1"`, `=a"b`: `"'=a""b"`, "a=1": `"a=1"`,
	} {
		for table, want := range map[labelfile.Table]string{{Comma: true, Guard: true}: want, {Guard: true}: name} {
			if got, err := table.AppendName(nil, []byte(name)); string(got) != want || err != nil {
				t.Errorf("%s, %+v: %s, %v, expected %s", name, table, got, err, want)
			}
		}
	}
	if got, _ := (labelfile.Table{Comma: true}).AppendName(nil, []byte("=1")); string(got) != "=1" {
		t.Errorf("without Guard: %s", got)
	}
}
