package usage

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Listed is the annotation of a flag of one text with items between commas, quoted as in csv: a file of settings may
// have a list of them.
const Listed = "listed"

// FlagTexts are the values of a flag of one text or of several.
func FlagTexts(flag *pflag.Flag) []string {
	if list, several := flag.Value.(pflag.SliceValue); several {
		return list.GetSlice()
	}
	return []string{flag.Value.String()}
}

// FlagNames are the names of all flags that a command takes.
func FlagNames(cmd *cobra.Command) (names []string) {
	note := func(flag *pflag.Flag) { names = append(names, flag.Name) }
	cmd.Flags().VisitAll(note)
	cmd.InheritedFlags().VisitAll(note)
	return names
}

// otherwise are flags that had other names, or have them in other programs.
var otherwise = map[string]string{"neighbours": "ks", "n_neighbors": "k", "n-neighbors": "k"}

// removed are flags that are gone, with what to do now.
var removed = map[string]string{
	"balance": "say --class-prior none to leave classes unweighed",
	"harden":  "the library has it: adp.Options.Harden",
	"hubs":    "the library has it: adp.Options.Hubs",
}

// Advised says of an unknown flag which one may be meant, and of a value what was expected.
func Advised(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		return refused(cmd, value)
	}
	if !errors.As(err, &unknown) {
		return err
	}
	name := unknown.GetSpecifiedName()
	if now := removed[name]; now != "" {
		return fmt.Errorf("%w: it was removed; %s", err, now)
	}
	meant, least := "", 1+len(name)/4
	for _, flag := range FlagNames(cmd) {
		if otherwise[name] == flag {
			meant = flag
			break
		}
		if d := distance(name, flag); d < least || d == least && meant == "" && len(name) > 2 {
			meant, least = flag, d
		}
	}
	command, sub, _ := strings.Cut(cmd.CommandPath(), " ")
	help := strings.TrimSpace(command + " help " + sub)
	if meant == "" {
		return fmt.Errorf("%w; see %s", err, help)
	}
	return fmt.Errorf("%w; did you mean --%s? See %s", err, meant, help)
}

// distance is the number of letters to insert, remove or replace to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			d := diagonal
			if a[i] != b[j] {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}

// Wrap breaks text at blanks into lines of at most width letters.
func Wrap(text string, width int) string {
	var b strings.Builder
	at := 0
	for k, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case k == 0:
		case at+1+n > width:
			b.WriteByte('\n')
			at = 0
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}
