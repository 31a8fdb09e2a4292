//go:build !unix && !windows

package machine

// PeakResident returns 0: the system does not tell.
func PeakResident() int64 { return 0 }
