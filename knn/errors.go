package knn

import "errors"

var (
	// ErrFeatures is wrapped by errors about feature vectors.
	ErrFeatures = errors.New("knn: invalid features")
	// ErrNeighbors is wrapped by errors about neighbours found elsewhere.
	ErrNeighbors = errors.New("knn: invalid neighbours")
	// ErrOptions is wrapped by errors about options that contradict each other or the data.
	ErrOptions = errors.New("knn: invalid options")
)
