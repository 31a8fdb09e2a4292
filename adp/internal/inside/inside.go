// Package inside hands functions of package adp that are not part of its face to the packages
// below adp that make a face of their own of them.
//
// Its values are set before those packages are initialised, as they import adp. They name types of
// adp, which this package cannot import: each is a function, and the package that takes it states
// its type. A wrong type stops every program, and test, that imports that package.
package inside

// These are for package adp/ranks.
var (
	ResumeRanks    any
	CalibrateRanks any
	GatherRanks    any
	MeasureRank    any // returns the function of [ranks.Memory.Bytes]
)
