package plot

import "slices"

// distinct returns the keys of the items, each once, in the order in which
// they come.
func distinct[T any, K comparable](items []T, key func(T) K) []K {
	var keys []K
	for _, item := range items {
		if k := key(item); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys
}

// having returns the items whose key is k.
func having[T any, K comparable](items []T, key func(T) K, k K) []T {
	var out []T
	for _, item := range items {
		if key(item) == k {
			out = append(out, item)
		}
	}
	return out
}
