# The commands that people use; README.md and CONTRIBUTING.md explain them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
GO ?= go
PROGRAMS := catalog indexer gateway sandbox devstack

help: ## list the commands
	@grep -hE '^[a-z][a-z-]*:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

run: ## install what is missing and start the whole platform on this machine
	@scripts/install
	@$(MAKE) --no-print-directory build
	@exec bin/devstack

build: programs ## build all programs and the web app

programs: ## build all programs
	@mkdir -p bin
	$(GO) build -o bin/ $(addprefix ./cmd/,$(PROGRAMS))

generate: ## regenerate gen/ from openapi/ and sql/
	$(GO) run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen -config oapi-codegen.yaml openapi/catalog.yaml
	$(GO) run github.com/sqlc-dev/sqlc/cmd/sqlc generate

test: ## run every test
	@scripts/install
	$(GO) run ./internal/testdb/withpostgres -- $(GO) test ./...

.PHONY: help run build programs generate test
