# Rostrum: `make` lists what can be done here.

TEMPL := go tool -modfile=tools.mod templ
LINT := go tool -modfile=tools.mod golangci-lint

# PostgreSQL as .ci/need installs it where the system has none to give.
export PATH := $(CURDIR)/.cache/postgresql/bin:$(PATH)

.DEFAULT_GOAL := help
.PHONY: help run demo test torture check dev generate fmt build go postgresql

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

run demo dev: export ROSTRUM_DATA_DIR ?= data

run: build postgresql ## the house at http://localhost:8080, with its own PostgreSQL in ./data
	bin/rostrum serve

demo: build postgresql ## sample people and lots for the empty house in ./data, also while it is open
	bin/rostrum demo
	@echo "Next: make run, and for some bidders ROSTRUM_DATA_DIR=$$ROSTRUM_DATA_DIR bin/rostrum demo --bots"

test: go ## every test, with the race detector, on real PostgreSQL and in a real browser
	@.ci/need cc postgresql chromium
	go test -race -timeout 12m ./...

torture: export ROSTRUM_TORTURE = $(or $(TIME),5m)
torture: export ROSTRUM_SEED = $(SEED)

torture: go ## the proofs of the rules of bidding, for long, in one process and in several: TIME=5m, and SEED=n for the offers of an earlier run
	@.ci/need cc postgresql
	go test -race -v -count=1 -timeout 0 -p 1 -run 'TheRulesHold|Caught' ./store ./cmd/bench/torture

bench: build postgresql ## bids, closings, streams and pages, measured over HTTP, and the books audited (bin/bench --help has more)
	go build -trimpath -o bin/bench ./cmd/bench
	bin/bench bids --bin bin/rostrum --rate 2000 --low 0.5
	bin/bench spread --bin bin/rostrum
	bin/bench close --bin bin/rostrum
	bin/bench watch --bin bin/rostrum
	bin/bench pages --bin bin/rostrum

check: go ## generated code is current, the linter is content, no known vulnerabilities
	go mod tidy -diff
	$(TEMPL) generate -check -log-level=error
	$(LINT) run
	@.ci/vulnerabilities

dev: export ROSTRUM_ADDR = :8080

dev: go postgresql ## the house at http://localhost:7331, made anew at each change of a file; /design shows all components
	@# templ kills what it started, so PostgreSQL stays: the next command that leaves stops it.
	@trap : INT; \
	$(TEMPL) generate --watch --proxy=http://localhost:8080 --open-browser=false --watch-pattern='\.(go|templ|css|js|sql)$$|_templ\.txt$$' --cmd="go run ./cmd/rostrum serve --dev"; \
	go run ./cmd/rostrum db url >/dev/null

generate: go ## templ's Go code from the .templ files
	$(TEMPL) generate

fmt: go ## every file as gofmt, goimports and templ want it
	$(LINT) fmt
	$(TEMPL) fmt .

build: go ## bin/rostrum
	go build -trimpath -o bin/rostrum ./cmd/rostrum

go:
	@.ci/need go

postgresql: go
	@test -n "$$DATABASE_URL" || .ci/need postgresql
