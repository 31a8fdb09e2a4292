package edgelist

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Text is read in words of eight bytes. A byte b is a digit if b^'0' is below 10; adding 0x76 shows
// this in the top bit, in all eight bytes at once.
const (
	zeros = 0x3030303030303030
	notch = 0x7676767676767676
	tops  = 0x8080808080808080
)

// window is the size of the text that is marked at a time.
const window = 4096

// marks holds the places of the bytes of a window that are no digits, in order.
type marks [window]uint32

// find marks the text from one place to another, a window at most, and returns the number of marks.
// all must extend 64 bytes further.
func (m *marks) find(all []byte, from, to int) int {
	n := 0
	for at := from; at < to; at += 64 {
		text := all[at : at+64 : at+64]
		bits := topBits(text[0:8]) | topBits(text[8:16])<<8 | topBits(text[16:24])<<16 | topBits(text[24:32])<<24 |
			topBits(text[32:40])<<32 | topBits(text[40:48])<<40 | topBits(text[48:56])<<48 | topBits(text[56:64])<<56
		n += m.put(n, at, bits)
	}
	for n > 0 && int(m[n-1]) >= to {
		n--
	}
	return n
}

// pairs reads lines of two plain numbers below 2^32 and nothing else into src and dst, up to the
// first other line. It returns their number and where that line starts. It takes no line in the
// first 16 bytes of all.
//
// It first finds the ends of numbers in a window of text, then reads the eight bytes before each of
// them: no number has to wait for the one before it. The first window is small, in case it contains
// no such line.
func (m *marks) pairs(src, dst []uint32, all []byte, at, end int, separator byte) (edges, next int) {
	dst = dst[:len(src)]
	k, begun := 0, -1
	for size := 64; at >= 16 && at < end && at != begun; size = min(2*size, window) {
		begun = at
		places := m[:m.find(all, at, min(at+size, end))]
		for len(places) >= 2 && k < len(src) {
			middle, last := int(places[0]), int(places[1])
			n, n2 := uint(middle-at), uint(last-middle-1)
			i, j := before(all, middle, n), before(all, last, n2)
			if n-1 >= 8 || n2-1 >= 8 {
				i, j = longBefore(all, middle, n), longBefore(all, last, n2)
				n, n2 = min(n, 15), min(n2, 15)
			}
			if i < leasts[n&15] || j < leasts[n2&15] || all[middle] != separator {
				return k, at
			}
			places = places[2:]
			if all[last] != '\n' {
				if all[last] != '\r' || len(places) == 0 || all[last+1] != '\n' {
					return k, at
				}
				last++
				places = places[1:]
			}
			src[k], dst[k] = i, j
			k++
			at = last + 1
		}
	}
	return k, at
}

// triples is pairs for lines that may have a weight. It returns how many have one, too.
func triples(src, dst []uint32, weights []float64, all []byte, at, end int, separator byte) (edges, given, next int) {
	dst, weights = dst[:len(src)], weights[:len(src)]
	k := 0
	for at < end && k < len(src) {
		text := binary.LittleEndian.Uint64(all[at : at+8])
		x := text ^ zeros
		n := eight(x)
		i, next := value(x, n), at+int(n/8)+1
		if !isShort(x, n) || byte(text>>n) != separator {
			if i, next = long(all, at); next == 0 || all[next-1] != separator {
				break
			}
		}
		at2 := next
		text = binary.LittleEndian.Uint64(all[at2 : at2+8])
		x = text ^ zeros
		n = eight(x)
		j, next := value(x, n), at2+int(n/8)+1
		if !isShort(x, n) {
			if j, next = long(all, at2); next == 0 {
				break
			}
		}
		weight, has := 1.0, 0
		if all[next-1] == separator {
			if weight, next = decimal(all, next); next == 0 {
				break
			}
			next++
			has = 1
		}
		if all[next-1] == '\r' {
			next++
		}
		if all[next-1] != '\n' || next > end {
			break
		}
		src[k], dst[k], weights[k] = i, j, weight
		k++
		given += has
		at = next
	}
	return k, given, at
}

// topBits returns a bit for each of eight bytes that is no digit. A byte that is not ASCII may set
// the bit of the next byte too; the next byte is then not trusted.
func topBits(b []byte) uint64 {
	x := binary.LittleEndian.Uint64(b) ^ zeros
	return (x + notch | x) & tops >> 7 * 0x0102040810204080 >> 56
}

// put writes the places of bits, counted from at, from the n-th mark on, and returns their number.
func (m *marks) put(n, at int, set uint64) int {
	to := m[n:]
	k := 0
	for ; set != 0; set &= set - 1 {
		to[k] = uint32(at + bits.TrailingZeros64(set))
		k++
	}
	return k
}

// before returns the number in the n digits before a place, for n of 1 to 8.
func before(all []byte, at int, n uint) uint32 {
	return ones((binary.LittleEndian.Uint64(all[at-8:at]) ^ zeros) & lasts[n&15])
}

// lasts masks the last bytes of a word, by their number.
var lasts = [16]uint64{1: 0xff << 56, 2: 0xffff << 48, 3: 0xffffff << 40, 4: 0xffffffff << 32, 5: 0xffffffffff << 24, 6: 0xffffffffffff << 16, 7: 0xffffffffffffff << 8, 8: 1<<64 - 1}

// longBefore is before for any n, 0 if the digits are no number below 2^32.
func longBefore(all []byte, at int, n uint) uint32 {
	if n-1 >= 10 {
		return 0
	}
	v := uint64(before(all, at, min(n, 8)))
	if n > 8 {
		v += 1e8 * uint64(before(all, at-8, n-8))
	}
	if v > math.MaxUint32 {
		return 0
	}
	return uint32(v)
}

// leasts holds the least plain number of each number of digits: fewer digits or leading zeros are
// no plain number.
var leasts = [16]uint32{1, 0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1, 1, 1, 1, 1}

// eight returns 8 times the number of digits at the start of a word of text, exclusive-or zeros.
func eight(x uint64) uint { return uint(bits.TrailingZeros64((x+notch|x)&tops)) &^ 7 }

// isShort reports whether the n/8 digits are a number of 1 to 7 digits without
// leading zeros.
func isShort(x uint64, n uint) bool { return n-8 < 56 && (byte(x) != 0 || n == 8) }

// value returns the number in the first n/8 digits of a word, for n of 8 to 64. Tens are added to
// ones in pairs, hundreds to them in fours, and so on.
func value(x uint64, n uint) uint32 {
	return ones(x << (-n & 63))
}

// ones is value for a word of eight digits.
func ones(x uint64) uint32 {
	x = x*10 + x>>8
	return uint32(((x&0x000000ff000000ff)*0x000f424000000064 + (x>>16&0x000000ff000000ff)*0x0000271000000001) >> 32)
}

// long reads a plain number below 2^32. It returns the place after the byte that ends it, 0 if
// there is no such number.
func long(all []byte, at int) (uint32, int) {
	v, next := number(all, at)
	if next == 0 || v > math.MaxUint32 {
		return 0, 0
	}
	return uint32(v), next + 1
}

// number reads a whole number of at most 15 digits, without leading zeros, and returns where it
// ends, 0 if there is none. The memory of b must extend at least 24 bytes further.
func number(b []byte, at int) (int64, int) {
	v, n := digits(b, at)
	if n == 8 {
		low, more := digits(b, at+8)
		if more == 8 {
			return 0, 0
		}
		v, n = v*powers[more]+low, 8+more
	}
	if n == 0 || n > 1 && b[at] == '0' {
		return 0, 0
	}
	return v, at + n
}

// decimal reads digits, and perhaps a point and digits, at most 15 in all. Both the digits and the
// power of ten are then exact in float64, and their quotient is rounded once.
func decimal(b []byte, at int) (float64, int) {
	v, n := int64(b[at]-'0'), uint(8)
	x := binary.LittleEndian.Uint64(b[at:at+8]) ^ zeros
	if v > 9 || b[at+1] != '.' {
		if n = eight(x); n-8 >= 56 {
			return 0, 0
		}
		v = int64(value(x, n))
	}
	at += int(n / 8)
	if b[at] != '.' {
		return float64(v), at
	}
	at++
	x = binary.LittleEndian.Uint64(b[at:at+8]) ^ zeros
	m := eight(x)
	if m == 0 {
		return 0, 0
	}
	// A branch on more than eight digits is hard to predict, and a wrong prediction takes longer
	// than reading up to eight more.
	y := binary.LittleEndian.Uint64(b[at+8:at+16]) ^ zeros
	rest := eight(y) & -(m >> 6)
	if n+m+rest > 15*8 {
		return 0, 0
	}
	part := int64(value(x, m))*powers[rest/8] + int64(value(y<<(64-rest), 64))
	m += rest
	power := powers[m/8]
	return float64(v*power+part) / float64(power), at + int(m/8)
}

var powers = [16]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// digits reads up to 8 digits and returns their number.
func digits(b []byte, at int) (int64, int) {
	x := binary.LittleEndian.Uint64(b[at:at+8]) ^ zeros
	n := eight(x)
	if n == 0 {
		return 0, 0
	}
	return int64(value(x, n)), int(n / 8)
}

// name returns the end of the name that starts at a place: the first byte that is a blank, no
// printable ASCII, or the separator; end or later if there is none before.
func name(b []byte, at, end int, separator byte) int {
	const ones = 0x0101010101010101
	same := ones * uint64(separator)
	for ; at < end; at += 8 {
		x := binary.LittleEndian.Uint64(b[at : at+8])
		y := x ^ same
		// The lowest marked byte is right; those above it may be wrong.
		other := (x - ones*'!') | (x + ones) | (y-ones)&^y
		if other &= tops; other != 0 {
			return at + bits.TrailingZeros64(other)/8
		}
	}
	return at
}
