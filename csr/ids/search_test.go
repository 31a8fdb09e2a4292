package ids

import "testing"

// TestNoIndex makes sure that sorted names, in either order, are searched in
// place: an index would take 4 to 8 bytes a name and the time to fill it.
func TestNoIndex(t *testing.T) {
	for text, sorted := range map[string]bool{"abc": true, "123": true, "acb": false, "132": false} {
		table, err := FromText([]byte(text), []uint64{0, 1, 2, 3})
		if err != nil || (table.slots == nil) != sorted {
			t.Errorf("%s: %d slots, %v, expected some: %v", text, len(table.slots), err, !sorted)
		}
	}
	table, err := FromText([]byte("-12910"), []uint64{0, 2, 3, 4, 6})
	if err != nil || table.slots != nil {
		t.Errorf("-1 2 9 10: %d slots, %v, expected none", len(table.slots), err)
	}
}
