# Every target is one command of the Go tool or of .ci/run; none is needed to
# use the project.
.PHONY: build test check bench dist

build: ## the binary for this machine
	CGO_ENABLED=0 go build -trimpath -o adp-sparse ./cmd/adp-sparse

test:
	go test ./...

check: ## all that is checked for every change
	.ci/run

bench: build ## make bench DATA=folder-of-sets
	./adp-sparse bench graphs --data $(DATA)

# The version is that of the last tag and the commit.
VERSION = $(shell git describe --tags --always --dirty)
TARGETS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

dist: ## static binaries for all systems, manual pages, completions and checksums, in dist/
	rm -rf dist
	mkdir -p dist/man dist/completion
	for target in $(TARGETS); do \
	  os=$${target%/*}; arch=$${target#*/}; ending=; [ $$os = windows ] && ending=.exe; \
	  echo $$target; \
	  CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch go build -trimpath -ldflags='-s -X main.release=$(VERSION)' -o dist/adp-sparse-$$os-$$arch$$ending ./cmd/adp-sparse || exit 1; \
	done
	go build -ldflags='-X main.release=$(VERSION)' -o dist/here ./cmd/adp-sparse
	dist/here man --dir dist/man
	for shell in bash zsh fish; do dist/here completion $$shell >dist/completion/adp-sparse.$$shell || exit 1; done
	rm dist/here
	cd dist && sha256sum adp-sparse-* man/* completion/* >SHA256SUMS
