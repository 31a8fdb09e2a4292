package usage

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Once makes the flags of all commands that have one value refuse a second: the last would win, and
// the one before, such as a file of data, would be lost without a word. Flags of several values,
// which are pflag.SliceValue, take more.
func Once(root *cobra.Command) {
	for _, flags := range []*pflag.FlagSet{root.PersistentFlags(), root.Flags()} {
		flags.VisitAll(func(flag *pflag.Flag) {
			_, several := flag.Value.(pflag.SliceValue)
			_, done := flag.Value.(*single) // of a command above
			if !several && !done {
				flag.Value = &single{Value: flag.Value, flag: flag}
			}
		})
	}
	for _, cmd := range root.Commands() {
		Once(cmd)
	}
}

// single is the value of a flag that may be given once, or twice with the same value.
type single struct {
	pflag.Value
	flag *pflag.Flag
}

// Set sets the value. Where the flag has another one already, that is a fault.
func (s *single) Set(text string) error {
	before := s.Value.String()
	if err := s.Value.Set(text); err != nil || !s.flag.Changed || s.Value.String() == before {
		return err
	}
	return twice{before}
}

// twice is what pflag wraps where a flag is given twice: the first value.
type twice struct{ first string }

func (t twice) Error() string { return fmt.Sprintf("given twice, %q before", t.first) }

// several says how to give the files of a flag that takes one.
var several = map[string]string{"edges": "for several files: cat %s %s | %s --edges - …, if none has a header"}

// expected are the values of a type, as messages say them.
var expected = map[string]string{
	"bool": "true or false", "duration": "a time such as 90s or 5m",
	"int": "a whole number such as 3", "uint64": "a whole number of at least 0, such as 3", "float64": "a number such as 0.5",
	"intSlice": "whole numbers such as 3,5", "float64Slice": "numbers such as 0.5,0.9",
}

// refused says what a flag takes, where pflag says what a function of the standard library says.
func refused(cmd *cobra.Command, err *pflag.InvalidValueError) error {
	flag, takes, given := err.GetFlag(), expected[err.GetFlag().Value.Type()], twice{}
	switch {
	case errors.As(err, &given):
		advice := several[flag.Name]
		if advice != "" {
			advice = "; " + fmt.Sprintf(advice, ShellQuote(given.first), ShellQuote(err.GetValue()), cmd.CommandPath())
		}
		return fmt.Errorf("--%s is given twice, %q and %q, expected once%s", flag.Name, given.first, err.GetValue(), advice)
	case takes == "":
		return err
	case errors.Is(err, strconv.ErrRange):
		takes = "it is out of range, expected " + takes
	default:
		takes = "expected " + takes
	}
	return fmt.Errorf("invalid argument %q for \"--%s\" flag: %s", err.GetValue(), flag.Name, takes)
}
