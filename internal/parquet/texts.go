package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/format"
)

var errTexts = errors.New("text that goes past the end of its page")

// checkTexts checks that a page of text holds as many values as its header says. The
// decoder would drop the values past that number and write to standard error.
func checkTexts(p *pageContent) error {
	switch p.encoding {
	case format.Plain, format.DeltaLengthByteArray, format.DeltaByteArray:
	default:
		return nil
	}
	values := p.values - p.nulls
	if len(p.levels) > 0 && !p.second { // the header of a second version has the nulls
		defined, err := (&rle.Encoding{BitWidth: 1}).DecodeLevels(nil, p.levels)
		if err != nil {
			return err
		}
		values = 0
		for _, level := range defined[:min(p.values, len(defined))] {
			if level == 1 {
				values++
			}
		}
	}
	found, err := countTexts(p.body, p.encoding)
	if err == nil && found != values {
		err = fmt.Errorf("%d texts in a page, expected %d", found, values)
	}
	return err
}

// countTexts returns the number of texts in the content of a page.
func countTexts(content []byte, encoding format.Encoding) (n int, err error) {
	if encoding != format.Plain {
		return countDeltas(content)
	}
	for ; len(content) > 0; n++ {
		if len(content) < 4 || uint64(binary.LittleEndian.Uint32(content)) > uint64(len(content)-4) {
			return 0, errTexts
		}
		content = content[4+binary.LittleEndian.Uint32(content):]
	}
	return n, nil
}
