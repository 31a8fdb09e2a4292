package checkpoint

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/mutant"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// problem is a small graph on which a run has rounds with a better cut and a
// trial.
func problem(t testing.TB, n int) (*csr.Matrix, *diffuse.Seeds) {
	t.Helper()
	src, dst, weight, class := gen.PlantedPartition(n, 3, min(1, 18/float64(n)), 6/float64(n), 4)
	w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	labels := slices.Repeat([]int{-1}, n)
	copy(labels, class[:n/5])
	y, err := diffuse.HardSeeds(labels)
	if err != nil {
		t.Fatal(err)
	}
	return w, y
}

var options = adp.Options{Rounds: 2}

// saved runs the problem with a checkpoint and returns the content of the file
// after every save, and the result.
func saved(t testing.TB, n int) (contents [][]byte, want *adp.Result) {
	t.Helper()
	w, y := problem(t, n)
	path := filepath.Join(t.TempDir(), "state")
	file, err := Create(path, "test")
	if err != nil {
		t.Fatal(err)
	}
	opt := options
	opt.Checkpoint = func(s *adp.Snapshot) error {
		if err := file.Save(s); err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		contents = append(contents, content)
		return err
	}
	if want, err = adp.Run(context.Background(), w, y, opt); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(file.Remove(), file.Close()); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 0 {
		t.Fatalf("%v, %v left after Remove", err, left)
	}
	return contents, want
}

// TestResume goes on from the file of every save, and saves again.
func TestResume(t *testing.T) {
	w, y := problem(t, 150)
	contents, want := saved(t, 150)
	if len(contents) < 12 {
		t.Fatalf("%d states", len(contents))
	}
	path := filepath.Join(t.TempDir(), "state")
	for k, content := range contents {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		file, snapshot, err := Open(path, "test")
		if err != nil || file.Damage != nil {
			t.Fatal(k, err, file)
		}
		opt, last := options, k
		opt.Checkpoint = func(s *adp.Snapshot) error {
			last++
			return file.Save(s)
		}
		got, err := adp.Resume(context.Background(), w, y, opt, snapshot)
		if err != nil {
			t.Fatal(k, err)
		}
		for _, r := range []*adp.Result{got, want} {
			for i := range r.Rounds {
				r.Rounds[i].Time = 0
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("another result from state %d", k)
		}
		if last+1 != len(contents) || file.newest.sequence != uint64(len(contents)) {
			t.Errorf("from state %d: ended with %d, sequence %d; expected %d", k, last+1, file.newest.sequence, len(contents))
		}
		if err := errors.Join(file.Close(), file.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// states returns what the files of all saves say, by sequence.
func states(t testing.TB, contents [][]byte) []*numbers {
	t.Helper()
	out := []*numbers{nil}
	for k, content := range contents {
		n, s, _, damage, err := newest(bytes.NewReader(content), int64(len(content)))
		if err != nil || damage != nil || s.sequence != uint64(k+1) {
			t.Fatal(k, s, damage, err)
		}
		out = append(out, n)
	}
	return out
}

// TestBitRot changes every bit that a slot uses and, in all files together, a
// bit of every byte: Open reads the newest state, the one before, or
// nothing.
func TestBitRot(t *testing.T) {
	if racing.On {
		t.Skip("under the race detector: this test has one goroutine, and runs without it")
	}
	contents, _ := saved(t, 30)
	all := states(t, contents)
	files := []int{0, 1, 2, 4, len(contents) / 2, len(contents) - 3, len(contents) - 2}
	for nth, k := range files {
		content := contents[k]
		counts := map[string]int{}
		flip := func(bit int) {
			content[bit/8] ^= 1 << (bit % 8)
			n, s, _, damage, err := newest(bytes.NewReader(content), int64(len(content)))
			switch {
			case err != nil:
				counts["refused"]++
			case !reflect.DeepEqual(n, all[s.sequence]):
				t.Fatalf("state %d: bit %d of byte %d changed: accepted as state %d", k+1, bit%8, bit/8, s.sequence)
			case s.sequence == uint64(k+1):
				counts["newest"]++ // the bit is of the other state, or of none
			case s.sequence == uint64(k) && damage != nil:
				counts["the one before"]++
			default:
				t.Fatalf("state %d: bit %d of byte %d changed: state %d, damage %v", k+1, bit%8, bit/8, s.sequence, damage)
			}
			content[bit/8] ^= 1 << (bit % 8)
		}
		for at := nth; at < len(content); at += len(files) {
			flip(8*at + at%8)
		}
		for bit := range 8 * (32 + 16*sections) {
			flip(bit + nth%slots*8*slotSize)
		}
		fallback := counts["the one before"] > 0
		if k == 0 {
			fallback = counts["refused"] > 0
		}
		if !fallback || counts["newest"] == 0 || k > 0 && counts["refused"] > 0 {
			t.Errorf("state %d: %v", k+1, counts)
		}
	}
}

// TestCut cuts files at the boundaries of all sections, beside them, and
// anywhere: the newest state, the one before, or nothing.
func TestCut(t *testing.T) {
	contents, _ := saved(t, 30)
	all := states(t, contents)
	rng := rand.New(rand.NewPCG(2, 2))
	for _, k := range []int{0, 1, 2, 5, len(contents) - 2} {
		refused := 0
		size := len(contents[k])
		lengths := []int{0, 1, slotSize - 1, slotSize, slotSize + 1, bodies - 1, bodies, size - 1}
		for at := 0; at < bodies; at += slotSize {
			s, err := decodeSlot(contents[k][at:at+slotSize], int64(size))
			if err != nil {
				continue // it was never written, or its state is gone
			}
			end := int(s.from)
			for _, section := range s.sections {
				lengths = append(lengths, end-1, end, end+1)
				end += int(section.length)
			}
		}
		for range 200 {
			lengths = append(lengths, rng.IntN(size))
		}
		for _, length := range lengths {
			if length >= size {
				continue
			}
			n, s, _, _, err := newest(bytes.NewReader(contents[k][:length]), int64(length))
			switch {
			case err != nil:
				refused++
			case !reflect.DeepEqual(n, all[s.sequence]) || s.sequence < uint64(k):
				t.Fatalf("state %d cut to %d bytes: another state, %d", k+1, length, s.sequence)
			}
		}
		if refused < 7 {
			t.Errorf("state %d: %d of %d lengths refused", k+1, refused, len(lengths))
		}
	}
}

// recorder is a medium that keeps what was written, and when it was synced.
type recorder struct{ steps []step }

type step struct {
	at   int64
	data []byte // nil for a sync
}

func (r *recorder) WriteAt(b []byte, at int64) (int, error) {
	r.steps = append(r.steps, step{at, bytes.Clone(b)})
	return len(b), nil
}

func (r *recorder) Sync() error {
	r.steps = append(r.steps, step{})
	return nil
}

// put writes to an image of a file.
func put(image, data []byte, at int64) []byte {
	if end := int(at) + len(data); end > len(image) {
		image = append(image, make([]byte, end-len(image))...)
	}
	copy(image[at:], data)
	return image
}

// TestPowerLoss stops every save at each of its writes and syncs. What was
// written since the last sync is there, is lost, or is there in part: the file
// has the state before or the new one, whole.
func TestPowerLoss(t *testing.T) {
	contents, _ := saved(t, 60)
	all := states(t, contents)
	rng := rand.New(rand.NewPCG(1, 1))
	olds, news := 0, 0
	for k, content := range contents[:len(contents)-1] {
		_, s, at, _, err := newest(bytes.NewReader(content), int64(len(content)))
		if err != nil {
			t.Fatal(err)
		}
		next, _, _, _, err := newest(bytes.NewReader(contents[k+1]), int64(len(contents[k+1])))
		if err != nil {
			t.Fatal(err)
		}
		r := &recorder{}
		f := &File{path: "state", program: "test", out: r, newest: s, at: at, placed: true}
		if err := f.Save(next.Snapshot); err != nil {
			t.Fatal(err)
		}
		synced, unsynced := bytes.Clone(content), []step{}
		check := func(image []byte, mustBe uint64) {
			n, s, _, _, err := newest(bytes.NewReader(image), int64(len(image)))
			if err != nil || !reflect.DeepEqual(n, all[s.sequence]) || s.sequence != uint64(k+1) && s.sequence != uint64(k+2) || mustBe > 0 && s.sequence != mustBe {
				t.Fatalf("stopped in save %d: %v, %v", k+2, s, err)
			}
			if s.sequence == uint64(k+1) {
				olds++
			} else {
				news++
			}
		}
		for _, step := range r.steps {
			if step.data != nil {
				unsynced = append(unsynced, step)
			}
			for range 20 {
				image := bytes.Clone(synced)
				for _, u := range unsynced {
					// Blocks of a disk are written in any order, or not.
					for lo := 0; lo < len(u.data); lo += 512 {
						if rng.IntN(2) == 0 {
							image = put(image, u.data[lo:min(lo+512, len(u.data))], u.at+int64(lo))
						}
					}
				}
				check(image, 0)
			}
			for _, u := range unsynced {
				if step.data == nil {
					synced = put(synced, u.data, u.at)
				}
			}
			if step.data == nil {
				unsynced = nil
			}
		}
		check(synced, uint64(k+2))
		if len(unsynced) > 0 {
			t.Fatal("a save ends without a sync")
		}
	}
	if olds == 0 || news == 0 {
		t.Errorf("%d old and %d new states", olds, news)
	}
}

// TestForgedShape writes a state whose blocks are not of the shape that its
// numbers say: refused, before memory is taken.
func TestForgedShape(t *testing.T) {
	contents, _ := saved(t, 30)
	for _, shape := range [][2]int{{30, 2}, {30, 4}, {15, 6}, {90, 1}, {1, 90}, {0, 3}, {30, 0}, {-30, -3}, {30, 1 << 40}, {1 << 40, 3}, {math.MaxInt, math.MaxInt}} {
		n, _, _, _, err := newest(bytes.NewReader(contents[3]), int64(len(contents[3])))
		if err != nil {
			t.Fatal(err)
		}
		n.Snapshot.Identity.Nodes, n.Snapshot.Identity.Classes = shape[0], shape[1]
		r := &recorder{}
		f := &File{path: "state", program: "test", out: r, placed: true}
		if err := f.Save(n.Snapshot); err != nil {
			t.Fatal(err)
		}
		image := []byte{}
		for _, step := range r.steps {
			image = put(image, step.data, step.at)
		}
		n, _, _, _, err = newest(bytes.NewReader(image), int64(len(image)))
		if shape[0]*shape[1] == 90 && shape[0] > 0 { // of one size: the run refuses it
			w, y := problem(t, 30)
			_, err = adp.Resume(context.Background(), w, y, options, n.Snapshot)
		}
		if err == nil {
			t.Errorf("accepted %d nodes and %d classes", shape[0], shape[1])
		}
	}
}

// failing is a medium that fails at one of its calls.
type failing struct{ left int }

var errFull = errors.New("full")

func (f *failing) call() error {
	if f.left--; f.left < 0 {
		return errFull
	}
	return nil
}

func (f *failing) WriteAt(b []byte, _ int64) (int, error) { return len(b), f.call() }
func (f *failing) Sync() error                            { return f.call() }

// TestSaveErrors fails every call of a save: it returns the error, and so do
// all saves after it.
func TestSaveErrors(t *testing.T) {
	contents, _ := saved(t, 60)
	n, s, at, _, err := newest(bytes.NewReader(contents[4]), int64(len(contents[4])))
	if err != nil {
		t.Fatal(err)
	}
	for calls := 0; ; calls++ {
		f := &File{path: "state", out: &failing{calls}, newest: s, at: at, placed: true}
		err := f.Save(n.Snapshot)
		if err == nil {
			if calls < 4 {
				t.Errorf("a save makes %d calls, expected two writes and two syncs at least", calls)
			}
			break
		}
		if !errors.Is(err, errFull) || f.newest != s {
			t.Fatalf("call %d failed: %v", calls, err)
		}
		f.out = &failing{1000}
		if err := f.Save(n.Snapshot); !errors.Is(err, errFull) {
			t.Errorf("after an error: %v", err)
		}
	}
}

// reseal makes all checksums of a file right, as far as its slots allow, so
// that only the checks of the content remain.
func reseal(content []byte) {
	for at := 0; at+slotSize <= min(len(content), bodies); at += slotSize {
		b := content[at : at+slotSize]
		seal := func() { binary.LittleEndian.PutUint32(b[slotSize-4:], crc32.Checksum(b[:slotSize-4], castagnoli)) }
		seal()
		s, err := decodeSlot(b, int64(len(content)))
		if err != nil {
			continue
		}
		from := s.from
		for k, section := range s.sections {
			binary.LittleEndian.PutUint32(b[40+16*k:], crc32.Checksum(content[from:from+section.length], castagnoli))
			from += section.length
		}
		seal()
	}
}

// use reads a file and goes on from what it says: an error or a result, and no
// panic.
func use(t testing.TB, content []byte, w *csr.Matrix, y *diffuse.Seeds) (read, resumed bool) {
	n, _, _, _, err := newest(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return false, false
	}
	if _, err := adp.Resume(context.Background(), w, y, options, n.Snapshot); err != nil {
		if !errors.Is(err, adp.ErrSnapshot) {
			t.Fatalf("%v does not wrap ErrSnapshot", err)
		}
		return true, false
	}
	return true, true
}

// TestMutants changes bytes of files and seals them again, so that only the
// checks of the content can find the change.
func TestMutants(t *testing.T) {
	if racing.On {
		t.Skip("under the race detector: this test has one goroutine, and runs without it")
	}
	contents, _ := saved(t, 30)
	w, y := problem(t, 30)
	read, resumed := 0, 0
	const mutants = 2000
	for seed := range uint64(mutants) {
		rng := rand.New(rand.NewPCG(seed, 5))
		content := bytes.Clone(contents[rng.IntN(len(contents))])
		for range 1 + rng.IntN(3) {
			at := rng.IntN(len(content) - 8)
			if rng.IntN(2) == 0 {
				at = rng.IntN(2)*slotSize + 8*rng.IntN(4+2*sections) // the used part of a slot
			}
			switch rng.IntN(3) {
			case 0:
				content[at] = byte(rng.IntN(256))
			case 1:
				values := []uint64{0, 1, 255, math.MaxUint32, 1 << 40, math.MaxInt64, math.MaxUint64, uint64(rng.IntN(len(content)))}
				binary.LittleEndian.PutUint64(content[at:], values[rng.IntN(len(values))])
			case 2: // digits and signs are what numbers in the text are made of
				content[at] = "0123456789-e.,"[rng.IntN(14)]
			}
		}
		reseal(content)
		r, g := use(t, content, w, y)
		if r {
			read++
		}
		if g {
			resumed++
		}
	}
	if read == 0 || read == mutants || resumed == 0 || resumed == read {
		t.Errorf("of %d mutants %d were read and %d went on, expected some and not all", mutants, read, resumed)
	}
	t.Logf("of %d mutants %d were read and %d went on", mutants, read, resumed)
}

// TestUnsealedMutants: of a file that was changed, a state is read only where the
// change is outside of it.
func TestUnsealedMutants(t *testing.T) {
	contents, _ := saved(t, 30)
	all := states(t, contents)
	mutant.Check(t, contents[:len(contents)-1], func(_, damaged []byte) (accepted bool) {
		n, s, _, _, err := newest(bytes.NewReader(damaged), int64(len(damaged)))
		if err == nil && (s.sequence >= uint64(len(all)) || !reflect.DeepEqual(n, all[s.sequence])) {
			t.Errorf("a changed state was read: %v", s)
		}
		return err == nil
	})
}

// TestOpenErrors: files that are no checkpoint of this program.
func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "state")
	contents, _ := saved(t, 30)
	for name, test := range map[string]struct {
		content string
		want    error
		says    string
	}{
		"empty":    {"", ErrSyntax, "no whole state"},
		"text":     {strings.Repeat("0 1\n", 5000), ErrSyntax, "magic"},
		"zeros":    {string(make([]byte, bodies)), ErrSyntax, "no whole state"},
		"a state":  {string(contents[3]), adp.ErrSnapshot, `"test"; this is "another"`},
		"one slot": {string(contents[0][:bodies+10]), ErrSyntax, "ends within the numbers"},
	} {
		if err := os.WriteFile(path, []byte(test.content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := Open(path, "another")
		if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != test.content {
			t.Errorf("%s: the file was changed", name)
		}
	}
	if _, _, err := Open(filepath.Join(dir, "none"), ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if _, _, err := Open(dir, ""); err == nil {
		t.Error("a folder was opened")
	}
	if _, err := Create(filepath.Join(dir, "none", "state"), ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in a missing folder: %v", err)
	}
	// A file without a state leaves nothing, and keeps what was there.
	f, err := Create(path, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Close(), f.Close()); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files left", len(left))
	}
}

// TestSpace: states of one size take three times the space of one at most.
func TestSpace(t *testing.T) {
	contents, _ := saved(t, 150)
	largest := int64(0)
	for k, content := range contents {
		_, s, _, _, err := newest(bytes.NewReader(content), int64(len(content)))
		if err != nil {
			t.Fatal(err)
		}
		if largest = max(largest, s.to()-s.from); int64(len(content)) > bodies+3*largest {
			t.Errorf("state %d: %d bytes for states of up to %d", k+1, len(content), largest)
		}
	}
}

// FuzzCheckpoint reads any bytes, as they are and with their checksums made
// right, and goes on from what they say.
func FuzzCheckpoint(f *testing.F) {
	contents, _ := saved(f, 30)
	for _, k := range []int{0, 1, len(contents) / 2, len(contents) - 1} {
		f.Add(contents[k])
	}
	w, y := problem(f, 30)
	f.Fuzz(func(t *testing.T, content []byte) {
		use(t, content, w, y)
		content = bytes.Clone(content)
		reseal(content)
		use(t, content, w, y)
	})
}

func (s *slot) String() string {
	return fmt.Sprintf("state %d at %d to %d", s.sequence, s.from, s.to())
}

// TestGolden reads a file of format version 2, whose checksums and layout a
// Python program found as docs/format-checkpoint.md says, with its own CRC-32C.
func TestGolden(t *testing.T) {
	content, err := os.ReadFile("testdata/v2.checkpoint")
	if err != nil {
		t.Fatal(err)
	}
	n, s, at, damage, err := newest(bytes.NewReader(content), int64(len(content)))
	if err != nil || damage != nil {
		t.Fatal(err, damage)
	}
	got := n.Snapshot
	if n.Program != "test" || s.sequence != 9 || at != 0 || got.Identity.Nodes != 30 || got.Identity.Classes != 3 ||
		len(got.Main.Rounds) != 3 || got.Fold == nil || len(got.Fold.Rounds) != 2 || got.Contest.Folds != 1 ||
		got.Main.Rounds[1].TopK != 5 || got.Fold.F == nil || got.Fold.A == nil || got.Main.First == nil || got.Main.F != nil {
		t.Errorf("%v at %d: %+v", s, at, got)
	}
}

// TestSaveAfterClose: a file that is closed or removed takes no state, and keeps the one it has.
func TestSaveAfterClose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	for name, end := range map[string]func(*File) error{"close": (*File).Close, "remove": (*File).Remove} {
		file, err := Create(path, "test")
		if err != nil {
			t.Fatal(err)
		}
		if err := end(file); err != nil {
			t.Fatal(err)
		}
		if err := file.Save(&adp.Snapshot{}); !errors.Is(err, fs.ErrClosed) || !strings.HasPrefix(err.Error(), path+": ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
