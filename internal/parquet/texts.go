package parquet

import (
	"errors"
	"fmt"
)

var errTexts = errors.New("text that goes past the end of its page")

// checkTexts checks that a page of text holds as many values as its header says. The
// decoder would drop the values past that number and write to standard error.
func checkTexts(content []byte, count int) error {
	found, err := countTexts(content)
	if err == nil && found != count {
		err = fmt.Errorf("%d texts in a page, expected %d", found, count)
	}
	return err
}

// countTexts returns the number of texts in the content of a page.
func countTexts(content []byte) (n int, err error) {
	for ; len(content) > 0; n++ {
		text, err := sized(content)
		if err != nil {
			return 0, errTexts
		}
		content = content[4+len(text):]
	}
	return n, nil
}
