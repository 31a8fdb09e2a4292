// Package crossval is cross-validation by seeds: folds that leave some of them out ([Folds]), and what
// a method that did not know them gets right ([Hits]) and ranks first ([Ranks]).
package crossval
