package knn

import "context"

func (f *frontier) approximate(ctx context.Context, opt Options, report *Report) error {
	return f.exact(ctx, opt.Threads, opt.Progress)
}
