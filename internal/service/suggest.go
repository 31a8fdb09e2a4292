package service

import (
	"context"

	"github.com/adp-sparse/adp-sparse/adp/suggest"
)

// Suggest returns the nodes to label next, see [suggest.Next].
func (m *Model) Suggest(ctx context.Context, count int) ([]suggest.Suggestion, error) {
	l := m.now.Load()
	scores := l.f
	if l.p != nil {
		scores = suggest.Reached(l.p, l.f)
	}
	return suggest.Next(ctx, m.graph, m.learned, suggest.Doubt(scores, l.seeds.Mask()), count, m.opt.Threads)
}
