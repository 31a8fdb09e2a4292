package streams

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// isClosed reports whether standard output was closed when the program began. Go's runtime has
// then opened the null device in its place, for reading and writing, before any other code runs;
// a write to it would succeed. Shells open the null device for writing alone, but some programs
// open it as the runtime does for what they start (Python's subprocess.DEVNULL). So the parent
// tells: it has no standard output either, or it is a shell, whose own is another file.
func isClosed() bool {
	flags, err := unix.FcntlInt(1, unix.F_GETFL, 0)
	if err != nil {
		return err == unix.EBADF
	}
	if flags&unix.O_ACCMODE != unix.O_RDWR || !isNull("/proc/self/fd/1") || isShared(0) || isShared(2) {
		return false
	}
	parent := fmt.Sprintf("/proc/%d/", os.Getppid())
	if _, err := os.ReadDir(parent + "fd"); err != nil {
		return false // of another user, or gone
	}
	if _, err := os.Lstat(parent + "fd/1"); os.IsNotExist(err) {
		return true
	}
	return isShell(parent) && !isNull(parent+"fd/1")
}

// isNull reports whether a file is the null device.
func isNull(name string) bool {
	var file, null unix.Stat_t
	if unix.Stat(name, &file) != nil || unix.Stat(os.DevNull, &null) != nil {
		return false
	}
	return file.Mode&unix.S_IFMT == unix.S_IFCHR && file.Rdev == null.Rdev
}

// isShared reports whether standard output is another file descriptor's file, opened once: the
// runtime opens one for each. Where the system does not tell, it says so.
func isShared(fd uintptr) bool {
	const file = 0 // KCMP_FILE
	self := uintptr(os.Getpid())
	order, _, errno := unix.Syscall6(unix.SYS_KCMP, self, self, file, 1, fd, 0)
	return errno != 0 || order == 0
}

// isShell reports whether a process, by its folder of /proc, runs a shell.
func isShell(process string) bool {
	path, err := os.Readlink(process + "exe")
	if err != nil {
		return false
	}
	name := strings.TrimRight(strings.TrimSuffix(filepath.Base(path), " (deleted)"), "0123456789.-")
	return slices.Contains([]string{"sh", "ash", "bash", "busybox", "csh", "dash", "fish", "ksh", "lksh", "mksh", "oksh", "pdksh", "posh", "rbash", "tcsh", "yash", "zsh"}, name)
}
