package npz

import (
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// cells are the entries of a matrix in another format than csr, in any order.
type cells struct {
	archive    *npy.Archive
	rows, cols int64
	row, col   []uint32
	data       []float32
}

// layouts read the cells of scipy's formats.
var layouts = map[string]func(*cells) error{
	"csc": (*cells).readColumns, "coo": (*cells).readPairs, "bsr": (*cells).readBlocks, "dia": (*cells).readDiagonals,
}

func within(most int64) func(*npy.Array) ([]uint32, error) {
	return func(a *npy.Array) ([]uint32, error) { return a.Columns(most) }
}

// readPairs reads coo: the row and the column of each value.
func (c *cells) readPairs() error {
	array, closer, err := c.archive.Open("data")
	if err != nil {
		return err
	}
	n := array.Elements()
	closer.Close()
	if c.row, err = readVector(c.archive, "row", n, within(c.rows)); err != nil {
		return err
	}
	if c.col, err = readVector(c.archive, "col", n, within(c.cols)); err != nil {
		return err
	}
	c.data, err = readVector(c.archive, "data", n, (*npy.Array).Floats)
	return err
}

// readColumns reads csc: the rows of each column.
func (c *cells) readColumns() error {
	indptr, err := readVector(c.archive, "indptr", c.cols+1, (*npy.Array).Ints)
	if err != nil {
		return err
	}
	nnz := indptr[c.cols]
	if c.row, err = readVector(c.archive, "indices", nnz, within(c.rows)); err != nil {
		return err
	}
	if c.data, err = readVector(c.archive, "data", nnz, (*npy.Array).Floats); err != nil {
		return err
	}
	c.col, err = c.spread(indptr, nnz)
	return err
}

// spread returns for each of the n places between offsets whose it is.
func (c *cells) spread(indptr []int64, n int64) ([]uint32, error) {
	of := make([]uint32, 0, n)
	for k := range len(indptr) - 1 {
		lo, hi := indptr[k], indptr[k+1]
		if lo != int64(len(of)) || hi < lo || hi > n {
			return nil, c.archive.Errorf("offsets %d to %d of row or column %d, expected them from 0, not to decrease and to stay within %d entries", lo, hi, k, n)
		}
		for range hi - lo {
			of = append(of, uint32(k))
		}
	}
	return of, nil
}

// readDiagonals reads dia: data[k, j] stands in column j and row j − offsets[k].
func (c *cells) readDiagonals() error {
	array, closer, err := c.archive.Open("data")
	if err != nil {
		return err
	}
	defer closer.Close()
	if len(array.Shape) != 2 {
		return array.Errorf("shape %s, expected diagonals and their lengths", array.ShapeText())
	}
	count, length := array.Shape[0], array.Shape[1]
	offsets, err := readVector(c.archive, "offsets", count, (*npy.Array).Ints)
	if err != nil {
		return err
	}
	values, err := array.Floats()
	if err != nil {
		return err
	}
	values = npy.ByRows(array, values)
	for k, offset := range offsets {
		for j := range min(length, c.cols) {
			c.put(j-offset, j, values[int64(k)*length+j])
		}
	}
	return nil
}

// put adds a cell of a block or a diagonal. Zeros, and cells in no row of the matrix, are padding and are skipped.
func (c *cells) put(i, j int64, v float32) {
	if v != 0 && i >= 0 && i < c.rows {
		c.row, c.col, c.data = append(c.row, uint32(i)), append(c.col, uint32(j)), append(c.data, v)
	}
}

// readBlocks reads bsr: dense blocks of one size, by rows of blocks.
func (c *cells) readBlocks() error {
	array, closer, err := c.archive.Open("data")
	if err != nil {
		return err
	}
	defer closer.Close()
	if len(array.Shape) != 3 || array.Fortran || slices.Contains(array.Shape[1:], 0) || c.rows%array.Shape[1] != 0 || c.cols%array.Shape[2] != 0 {
		return array.Errorf("shape %s, expected blocks that make up %d×%d, in C order", array.ShapeText(), c.rows, c.cols)
	}
	count, high, wide := array.Shape[0], array.Shape[1], array.Shape[2]
	indptr, err := readVector(c.archive, "indptr", c.rows/high+1, (*npy.Array).Ints)
	if err != nil {
		return err
	}
	columns, err := readVector(c.archive, "indices", count, within(c.cols/wide))
	if err != nil {
		return err
	}
	of, err := c.spread(indptr, count)
	if err != nil {
		return err
	}
	values, err := array.Floats()
	if err != nil {
		return err
	}
	for k, row := range of {
		block := values[int64(k)*high*wide:]
		for at := range high * wide {
			c.put(int64(row)*high+at/wide, int64(columns[k])*wide+at%wide, block[at])
		}
	}
	return nil
}

// A matrix takes 8 bytes a row beside its cells, whatever the shape claims.
const (
	freeRows    = 1 << 20
	rowsPerCell = 1 << 10
)

// matrix sorts the cells by rows.
func (c *cells) matrix() (*csr.Matrix, error) {
	if most := freeRows + rowsPerCell*int64(len(c.row)); c.rows > most {
		return nil, c.archive.Errorf("%d rows for %d entries, expected at most %d rows", c.rows, len(c.row), most)
	}
	indptr := make([]int64, c.rows+1)
	for _, i := range c.row {
		indptr[i+1]++
	}
	for i := range c.rows {
		indptr[i+1] += indptr[i]
	}
	indices, data := make([]uint32, len(c.row)), make([]float32, len(c.row))
	next := slices.Clone(indptr[:c.rows])
	for k, i := range c.row {
		indices[next[i]], data[next[i]] = c.col[k], c.data[k]
		next[i]++
	}
	return assemble(c.archive, c.rows, c.cols, indptr, indices, data)
}
