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

dist: ## static binaries for all systems
	mkdir -p dist
	for target in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64; do \
	  os=$${target%/*}; arch=$${target#*/}; ending=; [ $$os = windows ] && ending=.exe; \
	  CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch go build -trimpath -ldflags=-s -o dist/adp-sparse-$$os-$$arch$$ending ./cmd/adp-sparse || exit 1; \
	done
