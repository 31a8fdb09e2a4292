package adp

import (
	"context"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// choiceTolerance is the tolerance of F-steps that only choose: the class of a left-out seed does
// not depend on the digits behind it.
const choiceTolerance = 1e-5

// foldStarts holds F of LGC on the folds of a trial, where their runs start, and the class ranks by
// the smaller alphas. Folds are solved side by side ([diffuse.Together]), in groups whose size
// depends on the number of classes and folds alone.
type foldStarts struct {
	run    *run
	folds  []foldSeeds
	alphas bool
	group  int          // 1 + the group that is solved; 0 for none
	first  []*csr.Dense // by LGC, of each fold of the group; nil where each fold solves by itself
	ranks  [len(lesserAlphas)][]ClassRanks
}

// solve solves the group of fold k unless it is there.
func (s *foldStarts) solve(ctx context.Context, k int) (err error) {
	width := s.width()
	if s.group == 1+k/width {
		return nil
	}
	s.group, s.first = 1+k/width, nil
	folds := s.folds[k/width*width : min(len(s.folds), (k/width+1)*width)]
	if s.alphas {
		for j, alpha := range lesserAlphas {
			if err := s.rank(ctx, folds, j, alpha); err != nil {
				return err
			}
		}
	}
	s.first, err = s.together(ctx, folds, s.run.opt.Alpha)
	return err
}

// rank finds the class ranks of the folds by a smaller α.
func (s *foldStarts) rank(ctx context.Context, folds []foldSeeds, j int, alpha float64) error {
	starts, err := s.together(ctx, folds, alpha)
	if err != nil {
		return err
	}
	s.ranks[j] = nil
	for k, f := range folds {
		sub := s.run.onSeeds(f.train)
		if starts != nil {
			sub.F.CopyFrom(starts[k])
		}
		if _, err := sub.solveW(ctx, alpha); err != nil {
			return err
		}
		s.ranks[j] = append(s.ranks[j], s.run.own.classRanks(sub.F, f.hidden))
	}
	return nil
}

// together solves LGC for folds; nil where each solves by itself.
func (s *foldStarts) together(ctx context.Context, folds []foldSeeds, alpha float64) ([]*csr.Dense, error) {
	if s.width() == 1 {
		return nil, nil
	}
	r := s.run
	opt := r.solver()
	opt.Alpha, opt.Tolerance = alpha, max(opt.Tolerance, choiceTolerance)
	var seeds []*diffuse.Seeds
	for _, f := range folds {
		seeds = append(seeds, f.train)
	}
	return diffuse.Together(ctx, r.s.operator, r.s.Degrees, seeds, opt, r.own.partition())
}

// width returns the number of folds that are solved side by side.
func (s *foldStarts) width() int { return s.run.opt.foldsTogether(s.run.y.Classes, len(s.folds)) }

// foldsTogether returns how many of some folds are solved side by side.
func (o Options) foldsTogether(c, folds int) int {
	if o.Solver != diffuse.CG {
		return 1
	}
	return diffuse.TogetherOf(c, folds)
}

// heldTogether returns how many blocks of F of such folds are held; none if each is solved by itself.
func (o Options) heldTogether(c int) int64 {
	if width := o.foldsTogether(c, o.folds()); width > 1 {
		return int64(width)
	}
	return 0
}
