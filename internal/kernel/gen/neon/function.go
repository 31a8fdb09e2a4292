package main

import (
	"fmt"
	"strings"
)

// function is one routine in the making: its assembly and the Go declaration of it.
type function struct {
	name, doc, signature string
	params               map[string]param
	bytes                int // of parameters and results
	text                 strings.Builder
}

// param is a parameter or result: its place from FP on and its type.
type param struct {
	at   int
	kind string
}

// sizes are the bytes of the types that are not words of 64 bits.
var sizes = map[string]int{"bool": 1, "uint32": 4, "float32": 4}

// newFunction begins a routine of parameters and results of the form "name type",
// each with its type, separated by commas.
func newFunction(name, doc, params, results string) *function {
	f := &function{name: name, doc: doc, params: map[string]param{}}
	f.signature = "(" + params + ")"
	f.place(params)
	if results != "" {
		f.signature += " (" + results + ")"
		f.align(8)
		f.place(results)
	}
	return f
}

func (f *function) place(list string) {
	for _, one := range strings.Split(list, ", ") {
		name, kind, _ := strings.Cut(one, " ")
		size := sizes[kind]
		if size == 0 {
			size = 8
		}
		f.align(size)
		f.params[name] = param{f.bytes, kind}
		f.bytes += size
	}
}

func (f *function) align(to int) { f.bytes = (f.bytes + to - 1) / to * to }

// op writes one instruction of Go's assembler.
func (f *function) op(format string, args ...any) {
	fmt.Fprintf(&f.text, "\t"+format+"\n", args...)
}

func (f *function) label(name string) { fmt.Fprintf(&f.text, "%s:\n", name) }

// again ends a loop: it jumps to where it began until the register, less 1 each time, is 0.
func (f *function) again(left, label string) {
	f.op("SUB $1, %s", left)
	f.op("CBNZ %s, %s", left, label)
}

// load loads parameters into registers, named in turn.
func (f *function) load(pairs ...string) {
	for k := 0; k < len(pairs); k += 2 {
		name, to := pairs[k], pairs[k+1]
		p := f.params[name]
		f.op("%s %s+%d(FP), %s", move(p.kind), name, p.at, to)
	}
}

// give stores a register as a result.
func (f *function) give(from, name string) {
	p := f.params[name]
	f.op("%s %s, %s+%d(FP)", strings.TrimSuffix(move(p.kind), "U"), from, name, p.at)
}

// move is the instruction that loads a value of a type.
func move(kind string) string {
	switch kind {
	case "bool":
		return "MOVBU"
	case "uint32":
		return "MOVWU"
	case "float32":
		return "FMOVS"
	case "float64":
		return "FMOVD"
	}
	return "MOVD"
}

// code returns the routine as assembly.
func (f *function) code() string {
	return fmt.Sprintf("\n// func %s%s\nTEXT ·%s(SB), NOSPLIT, $0-%d\n%s\tRET\n", f.name, f.signature, f.name, f.bytes, f.text.String())
}

// stub returns its declaration.
func (f *function) stub() string {
	return fmt.Sprintf("\n// %s %s\n//\n//go:noescape\nfunc %s%s\n", f.name, f.doc, f.name, f.signature)
}

// vectors are the instructions on vectors that Go's assembler does not have: the
// numbers that they are with all registers 0 (Arm A64 instruction set, "Advanced
// SIMD three same", "vector × indexed element" and "two-register miscellaneous").
var vectors = map[string]uint32{
	"fadd.4s": 0x4e20d400, "fadd.2s": 0x0e20d400, "fadd.2d": 0x4e60d400,
	"fsub.4s": 0x4ea0d400, "fabd.4s": 0x6ea0d400, "fabd.2d": 0x6ee0d400, "fsub.2d": 0x4ee0d400,
	"fmul.4s": 0x6e20dc00, "fmul.2s": 0x2e20dc00, "fmul.2d": 0x6e60dc00,
	"fmla.4s": 0x4e20cc00, "fmla.2d": 0x4e60cc00, "fmls.2d": 0x4ee0cc00,
	"fmax.4s": 0x4e20f400, "fcmge.4s": 0x6e20e400, "faddp.4s": 0x6e20d400,
	"fmul.4s[]": 0x4f809000, "fmul.2s[]": 0x0f809000,
	"fmla.4s[]": 0x4f801000, "fmla.2d[]": 0x4fc01000,
	"fcvtl": 0x0e617800, "fcvtl2": 0x4e617800,
}

// vec writes v_d ← v_n ∘ v_m, for sums of products v_d ← v_d ± v_n·v_m.
func (f *function) vec(name string, d, n, m int) {
	f.word(vectors[name]|uint32(m<<16|n<<5|d), "%s v%d, v%d, v%d", name, d, n, m)
}

// vecBy is vec for one lane of v_m.
func (f *function) vecBy(name string, d, n, m, lane int) {
	place := uint32(lane>>1<<11 | lane&1<<21)
	if strings.HasSuffix(name, "2d") {
		place = uint32(lane << 11)
	}
	f.word(vectors[name+"[]"]|uint32(m<<16|n<<5|d)|place, "%s v%d, v%d, v%d[%d]", name, d, n, m, lane)
}

// widen writes v_d ← the lower or upper two of the four float32 of v_n, as float64.
func (f *function) widen(d, n, half int) {
	name := [2]string{"fcvtl", "fcvtl2"}[half]
	f.word(vectors[name]|uint32(n<<5|d), "%s v%d, v%d", name, d, n)
}

func (f *function) word(code uint32, format string, args ...any) {
	f.op("WORD $0x%08x // %s", code, fmt.Sprintf(format, args...))
}

// zero clears vectors from one register to another.
func (f *function) zero(from, to int) {
	for v := from; v <= to; v++ {
		f.op("VEOR V%d.B16, V%d.B16, V%d.B16", v, v, v)
	}
}

// loadPairs and storePairs move an even number of vectors from or to where a
// register points to, which moves past them.
func (f *function) loadPairs(at string, first, count int) {
	for v := first; v < first+count; v += 2 {
		f.op("FLDPQ.P 32(%s), (F%d, F%d)", at, v, v+1)
	}
}

func (f *function) storePairs(at string, first, count int) {
	for v := first; v < first+count; v += 2 {
		f.op("FSTPQ.P (F%d, F%d), 32(%s)", v, v+1, at)
	}
}

// spread loads a parameter into all lanes of a vector.
func (f *function) spread(name string, v int) {
	f.load(name, fmt.Sprintf("F%d", v))
	if f.params[name].kind == "float64" {
		f.op("VDUP V%d.D[0], V%d.D2", v, v)
	} else {
		f.op("VDUP V%d.S[0], V%d.S4", v, v)
	}
}
