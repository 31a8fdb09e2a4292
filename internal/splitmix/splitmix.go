// Package splitmix is the hash of 64-bit numbers that random choices and tables of numbers use.
package splitmix

// Mix is the finaliser of SplitMix64 (Steele, Lea, Flood, 2014): a bijection of 64 bits whose values look
// random. Mix(0) is 0.
func Mix(v uint64) uint64 {
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}

// Number is output count of SplitMix64 from the state 0.
func Number(count uint64) uint64 { return Mix((count + 1) * 0x9e3779b97f4a7c15) }
