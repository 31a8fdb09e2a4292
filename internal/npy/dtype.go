package npy

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
)

// dtype is the type of an array's elements: kind f (float), i (signed), u
// (unsigned), b (true or false), S (bytes) or U (text), and bytes an element.
type dtype struct {
	kind byte
	size int
	big  bool
}

const numericTypes = "b1, f2, f4, f8, i1, i2, i4, i8, u1, u2, u4 or u8"

// parseType reads a dtype as numpy writes it, such as "<f4".
func parseType(descr string) (dtype, error) {
	if len(descr) >= 2 && descr[1] == 'O' {
		return dtype{}, fmt.Errorf("dtype %.20q holds pickled objects, which are never read; expected %s: save it with .astype(np.float32), or text with .astype(str)", descr, numericTypes)
	}
	fault := fmt.Errorf("dtype %.20q, expected %s: save it with .astype(np.float32)", descr, numericTypes)
	if len(descr) < 3 {
		return dtype{}, fault
	}
	t := dtype{kind: descr[1], big: descr[0] == '>'}
	size, err := strconv.ParseUint(descr[2:], 10, 16)
	if err != nil || size == 0 || descr[0] != '<' && descr[0] != '>' && descr[0] != '|' {
		return dtype{}, fault
	}
	t.size = int(size)
	switch t.kind {
	case 'U':
		t.size *= 4
		return t, nil
	case 'S':
		return t, nil
	case 'f':
		if size == 2 || size == 4 || size == 8 {
			return t, nil
		}
	case 'b':
		if size == 1 {
			return t, nil
		}
	case 'i', 'u':
		if size == 1 || size == 2 || size == 4 || size == 8 {
			return t, nil
		}
	}
	return dtype{}, fault
}

func (t dtype) numeric() bool { return t.kind == 'f' || t.kind == 'b' || t.integer() }

func (t dtype) integer() bool { return t.kind == 'i' || t.kind == 'u' }

// bits returns the element at the start of b, zero-extended.
func (t dtype) bits(b []byte) uint64 {
	var order binary.ByteOrder = binary.LittleEndian
	if t.big {
		order = binary.BigEndian
	}
	switch t.size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(order.Uint16(b))
	case 4:
		return uint64(order.Uint32(b))
	}
	return order.Uint64(b)
}

func (t dtype) float(b []byte) float64 {
	u := t.bits(b)
	switch {
	case t.kind == 'f' && t.size == 2:
		return half(uint16(u))
	case t.kind == 'f' && t.size == 4:
		return float64(math.Float32frombits(uint32(u)))
	case t.kind == 'f':
		return math.Float64frombits(u)
	case t.kind == 'i':
		return float64(t.extend(u))
	case t.kind == 'b':
		return float64(min(u, 1))
	}
	return float64(u)
}

// extend returns the signed value of the bits u.
func (t dtype) extend(u uint64) int64 {
	unused := 64 - 8*t.size
	return int64(u<<unused) >> unused
}

// half returns the value of an IEEE 754 binary16 number.
func half(u uint16) float64 {
	sign := 1 - 2*float64(u>>15)
	fraction := float64(u & 0x3ff)
	switch exponent := int(u >> 10 & 0x1f); exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 0x1f:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	default:
		return sign * math.Ldexp(1024+fraction, exponent-25)
	}
}

// plain returns a reader of float32 values of the type, nil where there is only that
// of one element. It returns false where a value is not finite.
func (t dtype) plain() func(to []float32, b []byte) bool {
	const finite = 0x7f7fffff // bits of the largest float32
	switch {
	case t.big:
	case t.kind == 'f' && t.size == 4:
		return func(to []float32, b []byte) bool {
			largest := uint32(0)
			for k := range to {
				u := binary.LittleEndian.Uint32(b[4*k:])
				to[k] = math.Float32frombits(u)
				largest = max(largest, u&^(1<<31))
			}
			return largest <= finite
		}
	case t.kind == 'f' && t.size == 8:
		return func(to []float32, b []byte) bool {
			largest := uint32(0)
			for k := range to {
				to[k] = float32(math.Float64frombits(binary.LittleEndian.Uint64(b[8*k:])))
				largest = max(largest, math.Float32bits(to[k])&^(1<<31))
			}
			return largest <= finite
		}
	case t.kind == 'u' && t.size == 1:
		return func(to []float32, b []byte) bool {
			for k := range to {
				to[k] = float32(b[k])
			}
			return true
		}
	}
	return nil
}
