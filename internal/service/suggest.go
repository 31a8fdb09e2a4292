package service

import (
	"context"

	"github.com/adp-sparse/adp-sparse/adp/suggest"
)

// Suggest returns the nodes to label next, see [suggest.Next], by label spreading: the doubt of a mixture chooses worse
// (docs/decisions/0013-next-label.md).
func (m *Model) Suggest(ctx context.Context, count int) ([]suggest.Suggestion, error) {
	l := m.now.Load()
	return suggest.Next(ctx, m.graph, m.learned, suggest.Doubt(l.f, l.seeds.Mask()), count, m.opt.Threads)
}
