package knn

import (
	"errors"
	"fmt"
)

var (
	// ErrFeatures is wrapped by errors about feature vectors.
	ErrFeatures = errors.New("knn: invalid features")
	// ErrNeighbors is wrapped by errors about neighbours found elsewhere.
	ErrNeighbors = errors.New("knn: invalid neighbours")
	// ErrOptions is wrapped by errors about options that contradict each other or the data.
	ErrOptions = errors.New("knn: invalid options")

	errDenseOnly = fmt.Errorf("%w: metric manhattan of sparse features, expected l2, cosine, hellinger, hellinger-idf or ip, or dense features", ErrOptions)
)
