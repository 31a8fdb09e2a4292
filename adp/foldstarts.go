package adp

import (
	"context"

	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// choiceTolerance is the tolerance of F-steps that only choose: the class of a left-out seed does
// not depend on the digits behind it.
const choiceTolerance = 1e-5

// rankTolerance is the tolerance of F-steps that only rank the classes of left-out seeds by LGC.
const rankTolerance = 1e-3

// foldStarts holds F of LGC on the folds of a trial, where their runs start. Folds are solved side by
// side ([diffuse.Together]), in groups whose size depends on the number of classes and folds alone.
type foldStarts struct {
	run   *run
	folds []foldSeeds
	group int          // 1 + the group that is solved; 0 for none
	first []*csr.Dense // by LGC, of each fold of the group; nil where each fold solves by itself
}

// solve solves the group of fold k unless it is there.
func (s *foldStarts) solve(ctx context.Context, k int) (err error) {
	width := s.width()
	if s.group == 1+k/width {
		return nil
	}
	s.group, s.first = 1+k/width, nil
	tolerance := rankTolerance
	if best := s.run.Best; best > 0 && !s.run.Rounds[best].Fresh {
		tolerance = choiceTolerance // rounds start from there
	}
	if width > 1 { // else the run of the fold solves it
		s.first, err = s.together(ctx, s.grouped(k), s.run.opt.Alpha, tolerance)
	}
	return err
}

// grouped returns the folds of the group of fold k.
func (s *foldStarts) grouped(k int) []foldSeeds {
	width := s.width()
	return s.folds[k/width*width : min(len(s.folds), (k/width+1)*width)]
}

// start returns F of LGC on fold k, nil where the fold solves by itself. Its group has to be solved.
func (s *foldStarts) start(k int) *csr.Dense {
	if s.first == nil {
		return nil
	}
	return s.first[k%s.width()]
}

// ranks returns the class ranks of fold k by LGC. Its group has to be solved.
func (s *foldStarts) ranks(ctx context.Context, k int) (crossval.Ranks, error) {
	return s.ranksOf(ctx, s.folds[k], s.start(k), s.run.opt.Alpha)
}

// ranksBy returns the class ranks of the folds from lo to hi−1 by LGC at an α.
func (s *foldStarts) ranksBy(ctx context.Context, lo, hi int, alpha float64) (ranks crossval.Ranks, err error) {
	for lo < hi {
		folds := s.folds[lo:min(hi, lo+s.width())]
		starts, err := s.together(ctx, folds, alpha, rankTolerance)
		if err != nil {
			return nil, err
		}
		for k, fold := range folds {
			var of *csr.Dense
			if starts != nil {
				of = starts[k]
			}
			r, err := s.ranksOf(ctx, fold, of, alpha)
			if err != nil {
				return nil, err
			}
			ranks = append(ranks, r...)
		}
		lo += len(folds)
	}
	return ranks, nil
}

// ranksOf returns the class ranks of a fold by LGC at an α, from F of it if that is there. F is
// solved by itself where it is not, and where it leaves out a seed: what solves side by side takes
// no care of nodes far from all seeds. At a smaller α, which has to lead, such a seed is lost.
func (s *foldStarts) ranksOf(ctx context.Context, fold foldSeeds, f *csr.Dense, alpha float64) (crossval.Ranks, error) {
	if f == nil || alpha == s.run.opt.Alpha && s.run.own.missed(f, s.run.s.operator.(diffuse.Parted), fold) {
		sub := s.run.onSeeds(fold.train)
		sub.opt.Tolerance = max(sub.opt.Tolerance, rankTolerance)
		if f != nil {
			sub.F.CopyFrom(f)
		}
		if _, err := sub.solveW(ctx, alpha); err != nil {
			return nil, err
		}
		f = sub.F
	}
	return s.run.own.classRanks(f, fold.hidden), nil
}

// together solves LGC for folds to a tolerance; nil where only a run of each can.
func (s *foldStarts) together(ctx context.Context, folds []foldSeeds, alpha, tolerance float64) ([]*csr.Dense, error) {
	r := s.run
	if r.opt.Solver != diffuse.CG {
		return nil, nil
	}
	opt := r.solver()
	opt.Alpha, opt.Tolerance = alpha, max(opt.Tolerance, tolerance)
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

// LeftOutRanks returns the class ranks of the seeds that the first folds of a [Trial] leave out, by LGC
// on the other seeds: at most the given number of folds, in their order. It reads the options of LGC.
// Errors are those of [Run].
func LeftOutRanks(ctx context.Context, w *csr.Matrix, y *diffuse.Seeds, opt Options, most int) (ranks crossval.Ranks, err error) {
	if err := checkGraph(w, y, opt.Threads); err != nil {
		return nil, err
	}
	opt.Method = LGC
	if opt, err = opt.forSeeds(y); err != nil {
		return nil, err
	}
	var space *csr.Space
	if opt.Scratch != "" {
		space = csr.NewSpace(opt.Scratch)
	}
	err = rows.Catch(func() error { // a disk may fail
		r, err := newRun(nil, space, w, y, opt)
		if err != nil {
			return err
		}
		folds := firstFolds(r.folds(crossval.ChoiceFolds), most)
		ranks, err = (&foldStarts{run: r, folds: folds}).ranksBy(ctx, 0, len(folds), opt.Alpha)
		return err
	})
	err = closed(space, err)
	rows.Rethrow(err)
	return ranks, err
}
