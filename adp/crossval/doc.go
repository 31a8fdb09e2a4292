// Package crossval is cross-validation by seeds: folds that leave some of them out ([Folds]), what a
// method that did not know them gets right ([Hits]) and ranks first ([Ranks]), and the accuracy that
// this promises for other nodes ([Evidence]).
package crossval
