package streams

import "syscall"

// pipeClosing is what Windows says of a pipe whose reader has left (ERROR_NO_DATA).
const pipeClosing = syscall.Errno(232)
