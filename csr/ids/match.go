package ids

// Match returns the numbers in rows of the names of t. Those that rows lacks are numbered
// after it, in their order: missing lists them.
func (t *Table) Match(rows *Table) (at []uint32, missing []int) {
	at = make([]uint32, t.Len())
	var name []byte
	for i := range at {
		name = t.AppendName(name[:0], i)
		row, ok := rows.Lookup(name)
		if !ok {
			row = uint32(rows.Len() + len(missing))
			missing = append(missing, i)
		}
		at[i] = row
	}
	return at, missing
}

// With returns the names of t and, after them, those of some nodes of another table.
func (t *Table) With(other *Table, nodes []int) (*Table, error) {
	if len(nodes) == 0 {
		return t, nil
	}
	all := NewTable()
	var name []byte
	add := func(from *Table, i int) error {
		name = from.AppendName(name[:0], i)
		_, err := all.Add(name)
		return err
	}
	for i := range t.Len() {
		if err := add(t, i); err != nil {
			return nil, err
		}
	}
	for _, i := range nodes {
		if err := add(other, i); err != nil {
			return nil, err
		}
	}
	return all, nil
}
