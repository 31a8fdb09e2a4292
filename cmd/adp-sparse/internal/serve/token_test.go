//go:build unix

package serve

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"
)

// TestToken: a pipe that stays empty ends with the context, and an endless file is refused.
func TestToken(t *testing.T) {
	pipe := t.TempDir() + "/p"
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := (&flags{tokenFile: pipe}).readToken(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("--token-file: %v", err)
	}
	if err := (&flags{tokenFile: "/dev/zero"}).readToken(context.Background()); err == nil || !strings.Contains(err.Error(), "longer than 4096 bytes") {
		t.Errorf("--token-file /dev/zero: %v", err)
	}
}
