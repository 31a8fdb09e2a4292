package vecs

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// WriteIDs writes the neighbours of n points, k each (n×k, row-major), in the
// format of the name's ending: .npy (int32, n×k) or .ivecs. [ReadNeighbors]
// reads them. A number past int32, such as the mark of a missing neighbour,
// is written as -1. Unless there are n·k of them it panics.
func WriteIDs(w io.Writer, name string, ids []uint32, n, k int) error {
	checkSize(len(ids), n, k)
	return writeRows(w, name, "<i4", "ivecs", n, k, func(at int) uint32 {
		if ids[at] > 1<<31-1 {
			return ^uint32(0)
		}
		return ids[at]
	})
}

// WriteDists writes the distances of neighbours, n×k row-major, as .npy
// (float32) or .fvecs. An infinite one, the mark of a missing neighbour, is written as
// the largest number, as faiss has it. Unless there are n·k of them it panics.
func WriteDists(w io.Writer, name string, dists []float32, n, k int) error {
	checkSize(len(dists), n, k)
	return writeRows(w, name, "<f4", "fvecs", n, k, func(at int) uint32 { return math.Float32bits(min(dists[at], math.MaxFloat32)) })
}

func checkSize(given, n, k int) {
	if given != n*k {
		panic(fmt.Sprintf("vecs: %d values, expected %d×%d", given, n, k))
	}
}

// writeRows writes n rows of k words of 4 bytes, little-endian.
func writeRows(w io.Writer, name, descr, vecsEnding string, n, k int, word func(at int) uint32) error {
	out := bufio.NewWriterSize(w, 64<<10)
	var row []byte
	switch ending(name) {
	case "npy":
		out.Write(npy.AppendHeader(nil, descr, int64(n), int64(k))) // an error stays with out until Flush
	case vecsEnding:
		row = binary.LittleEndian.AppendUint32(nil, uint32(k))
	default:
		return fmt.Errorf("%w: %q, expected .npy or .%s", ErrFormat, name, vecsEnding)
	}
	head := len(row)
	for i := range n {
		row = row[:head]
		for at := i * k; at < (i+1)*k; at++ {
			row = binary.LittleEndian.AppendUint32(row, word(at))
		}
		out.Write(row)
	}
	return out.Flush()
}
