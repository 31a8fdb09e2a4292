# Every target is one command of the Go tool, of .ci/run or of Python; none is needed to
# use the project.
.PHONY: build test check bench dist wheels

PROGRAMS = adp-sparse adp-bench

build: ## the binaries for this machine, without the names that debuggers want
	for program in $(PROGRAMS); do CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o $$program ./cmd/$$program || exit 1; done

test:
	go test ./...

check: ## all that is checked for every change
	.ci/run

bench: build ## make bench DATA=folder-of-sets
	./adp-bench graphs --data $(DATA)

# The version is that of the last tag and the commit.
VERSION = $(shell git describe --tags --always --dirty)
RELEASE = -X github.com/adp-sparse/adp-sparse/cmd/internal/program.release=$(VERSION)
TARGETS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

dist: ## static binaries for all systems, manual pages, completions and checksums, in dist/
	rm -rf dist
	mkdir -p dist/man dist/completion
	for target in $(TARGETS); do \
	  os=$${target%/*}; arch=$${target#*/}; ending=; [ $$os = windows ] && ending=.exe; \
	  echo $$target; \
	  for program in $(PROGRAMS); do \
	    CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch go build -trimpath -ldflags='-s -w $(RELEASE)' -o dist/$$program-$$os-$$arch$$ending ./cmd/$$program || exit 1; \
	  done; \
	done
	go build -ldflags='$(RELEASE)' -o dist/here ./cmd/adp-sparse
	dist/here man --dir dist/man
	for shell in bash zsh fish; do dist/here completion $$shell >dist/completion/adp-sparse.$$shell || exit 1; done
	rm dist/here
	cd dist && sha256sum adp-* man/* completion/* >SHA256SUMS

wheels: dist ## wheels of the Python package for all systems, in dist/wheels, without network
	python3 python/backend/adp_build.py dist dist/wheels
