# The commands that people use; README.md and CONTRIBUTING.md explain them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
GO ?= go
# without grpc's pages of traces, whose templates call methods by name: with them the linker keeps every method there is
TAGS := grpcnotrace
PROGRAMS := catalog indexer gateway sandbox devstack
WITH_POSTGRES := $(GO) run ./internal/testdb/withpostgres --
# go test's own lines; skipped and failed tests again at the end, and how many there were
GOTESTSUM := $(GO) run gotest.tools/gotestsum --format standard-quiet --

help: ## list the commands
	@grep -hE '^[a-z][a-z-]*:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

run: ## install what is missing and start the whole platform on this machine
	@scripts/install
	@scripts/install-model .local
	@$(MAKE) --no-print-directory build
	@exec bin/devstack

build: programs web-build ## build all programs and the web app

programs: ## build all programs
	@mkdir -p bin
	$(GO) build -tags $(TAGS) -o bin/ $(addprefix ./cmd/,$(PROGRAMS))

web-build: ## build the web app when its sources have changed
	@scripts/web-build

web: ## the web app's dev server with hot reload, on the running stack
	cd web && npm run dev

test: ## run every test
	@scripts/install
	$(WITH_POSTGRES) $(GOTESTSUM) ./...
	@scripts/test-typescript

verify: ## what CI adds to the tests: verify/run says which parts there are
	@verify/run

verify-nightly: ## what takes longer than CI may
	@verify/run nightly

fuzz: ## contract fuzzing for as long as it is let: make fuzz MINUTES=30
	@MINUTES=$(or $(MINUTES),30) verify/contract

bench: ## measure against the ceilings: make bench ONLY=list,search
	@bench/run $(if $(ONLY),-only $(ONLY)) $(if $(ROUNDS),-rounds $(ROUNDS)) $(if $(VEHICLES),-vehicles $(VEHICLES)) $(if $(VECTORS),-vectors $(VECTORS)) -history bench/history.jsonl
	@$(MAKE) --no-print-directory bench-page

bench-page: ## show what was measured over the commits: .local/bench.html
	@scripts/npm-install
	@mkdir -p .local
	@node bench/page/page.js bench/history.jsonl .local/bench.html

bench-compare: ## measure an earlier commit beside this tree: make bench-compare BASE=HEAD~5 ONLY=list
	@bench/compare $(BASE) $(if $(ONLY),-only $(ONLY)) $(if $(ROUNDS),-rounds $(ROUNDS))

eval-search: ## search quality on the judged queries of the demo catalogue
	@verify/model

event-order: ## publish an order event: make event-order CUSTOMER=customer-01 VEHICLE=… STATUS=Done
	@bin/devstack event order --order "$(ORDER)" --customer "$(CUSTOMER)" --vehicle "$(VEHICLE)" --status "$(or $(STATUS),Done)"

event-file: ## publish the deletion of a file: make event-file FILE=…
	@bin/devstack event file --file "$(FILE)"

generate: ## regenerate gen/ from openapi/ and sql/, and the lexicon's packed form
	@mkdir -p bin
	$(GO) build -o bin/ github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen github.com/sqlc-dev/sqlc/cmd/sqlc
	bin/oapi-codegen -config oapi-codegen.yaml openapi/catalog.yaml
	@for spec in embeddings exchange-common provider gateway logistics waybill transport files; do \
	  echo "bin/oapi-codegen -config openapi/codegen/$$spec.yaml openapi/$$spec.yaml"; \
	  bin/oapi-codegen -config openapi/codegen/$$spec.yaml openapi/$$spec.yaml || exit 1; done
	$(GO) run ./openapi/bundle -fill openapi/gateway.yaml gen/gatewayapi
	bin/oapi-codegen -config openapi/codegen/catalogclient.yaml openapi/catalog.yaml
	bin/oapi-codegen -config openapi/codegen/gatewayclient.yaml gen/gatewayapi/openapi.yaml
	$(GO) run ./openapi/bundle -required openapi/provider.yaml gen/providerapi
	@for spec in logistics waybill transport; do $(GO) run ./openapi/bundle openapi/$$spec.yaml gen/$${spec}api || exit 1; done
	bin/sqlc generate
	$(GO) run ./internal/embedding/lexicon internal/embedding/lexicon.bin
	@scripts/generate-typescript

release: ## everything that a user of a release downloads: make release VERSION=1.1.0
	@scripts/release $(VERSION)

clean: ## remove what was built; the data in .local stays
	rm -rf bin web/dist

.PHONY: help run build programs web-build web test verify verify-nightly fuzz bench bench-page bench-compare eval-search event-order event-file generate release clean
