package adp

// The parts of a [Snapshot], for the tests of package adp_test.
type (
	Process = process
	Mixture = mixture
)
