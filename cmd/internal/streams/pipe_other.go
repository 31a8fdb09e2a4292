//go:build !windows

package streams

import "syscall"

// pipeClosing is what the system says of a pipe whose reader has left.
const pipeClosing = syscall.EPIPE
