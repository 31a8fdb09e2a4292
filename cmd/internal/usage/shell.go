package usage

import (
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// CommandLine returns the command line, but for --resume, for a shell.
func CommandLine(cmd *cobra.Command) string {
	words := []string{cmd.CommandPath()}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		list, several := f.Value.(pflag.SliceValue)
		switch {
		case f.Name == "resume":
		case several:
			for _, value := range list.GetSlice() {
				words = append(words, "--"+f.Name, ShellQuote(value))
			}
		case f.Value.Type() == "bool":
			words = append(words, "--"+f.Name+"="+f.Value.String())
		default:
			words = append(words, "--"+f.Name, ShellQuote(f.Value.String()))
		}
	})
	return strings.Join(words, " ")
}

// ShellQuote quotes a word for a shell, where it needs that: that of the system.
func ShellQuote(word string) string { return quoteFor(runtime.GOOS, word) }

func quoteFor(system, word string) string {
	marks := "%+,-./:=@_"
	if system == "windows" {
		marks = `+,-./:=@_\` // % names variables there
	}
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(marks, r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	if system == "windows" {
		// A backslash at the end would take the quote's meaning.
		end := word[len(strings.TrimRight(word, `\`)):]
		return `"` + strings.ReplaceAll(word, `"`, `\"`) + end + `"`
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
