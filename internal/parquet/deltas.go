package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/parquet-go/parquet-go/encoding/delta"
)

var (
	errDeltas = errors.New("differences that end before their last value")
	errHeader = errors.New("differences without a number of values, or with too many")
	errBlocks = errors.New("differences in blocks of a size that is none")
	errLength = errors.New("lengths of text that go past the end of their page")
)

// maxBlock is how many differences a block may have.
const maxBlock = 1 << 16

// checkDeltas checks that a list of differences is of count values, and returns what
// follows it: blocks of equal ones take almost no bytes. widest is how many bits a
// difference may have.
func checkDeltas(content []byte, count int, widest byte) (rest []byte, err error) {
	var head [3]int // the sizes of a block, in values and in parts, then the number of values
	for k := range head {
		v, size := binary.Uvarint(content)
		if size <= 0 || v > maxValues {
			return nil, errHeader
		}
		head[k], content = int(v), content[size:]
	}
	block, parts, n := head[0], head[1], head[2]
	if n != count {
		return nil, fmt.Errorf("differences of %d values in a page of %d", n, count)
	}
	if parts == 0 || block > maxBlock || block/parts == 0 {
		return nil, errBlocks
	}
	_, size := binary.Varint(content) // the first value
	if size <= 0 {
		return nil, errDeltas
	}
	content = content[size:]
	for left := n - 1; left > 0; {
		_, size := binary.Varint(content) // the least difference of the block
		if size <= 0 {
			return nil, errDeltas
		}
		content = content[size:]
		widths := content[:min(parts, len(content))]
		content = content[len(widths):]
		for _, width := range widths {
			if width > widest {
				return nil, fmt.Errorf("differences of %d bits, expected at most %d", width, widest)
			}
			content = content[min(block/parts*int(width)/8, len(content)):] // the decoder tells of missing bytes
			if left -= block / parts; left <= 0 {
				break
			}
		}
	}
	return content, nil
}

// decodeLengths returns a list of lengths that are written as differences, and what follows it.
func decodeLengths(content []byte, count int) (lengths []int32, rest []byte, err error) {
	if rest, err = checkDeltas(content, count, 32); err != nil {
		return nil, nil, err
	}
	lengths, err = new(delta.BinaryPackedEncoding).DecodeInt32(nil, content)
	return lengths, rest, err
}

// checkLengths checks texts whose lengths come first.
func checkLengths(content []byte, count int) error {
	lengths, rest, err := decodeLengths(content, count)
	if err != nil {
		return err
	}
	_, err = sum(lengths, len(rest))
	return err
}

// sum returns the sum of lengths, which must be at most as many bytes as there are.
func sum(lengths []int32, bytes int) (total int, err error) {
	for _, n := range lengths {
		if n < 0 || int(n) > bytes-total {
			return 0, errLength
		}
		total += int(n)
	}
	return total, nil
}

// checkPrefixes checks texts that are written as how much of the text before each starts
// with, and what it goes on with. A long text may come again and again in no bytes.
func checkPrefixes(content []byte, count int) error {
	prefixes, rest, err := decodeLengths(content, count)
	if err != nil {
		return err
	}
	suffixes, rest, err := decodeLengths(rest, count)
	if err != nil {
		return err
	}
	total, err := sum(suffixes, len(rest))
	if err != nil {
		return err
	}
	last := int32(0) // a length
	for k, n := range prefixes {
		if n < 0 || n > last {
			return errLength
		}
		if total += int(n); total > maxPage {
			return fmt.Errorf("texts of more than %d bytes in a page", maxPage)
		}
		last = n + suffixes[k]
	}
	return nil
}
