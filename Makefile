# Rostrum: `make` lists what can be done here.

TEMPL = go tool -modfile=tools.mod templ

.DEFAULT_GOAL := help
.PHONY: help run test check generate dev build fmt

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

run: build ## the house at http://localhost:8080, with its own PostgreSQL in ./data
	ROSTRUM_DATA_DIR=$${ROSTRUM_DATA_DIR:-data} bin/rostrum serve

test: ## every test, with the race detector
	go test -race ./...

generate: ## templ's Go code from the .templ files
	$(TEMPL) generate

build: ## bin/rostrum
	go build -trimpath -o bin/rostrum ./cmd/rostrum
