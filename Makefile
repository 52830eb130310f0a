# Everything a fresh clone needs: `make demo` to see it, `make test` to check it. `make help` lists the rest.
#
# Setting up happens through stamp files that depend on the pinned versions, so a second run costs nothing.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ARGS ?=
# How many processes run the Python tests side by side. What a test writes is in a folder of its own, and ports are free ones.
JOBS ?= 2

# One stamp for each thing that can be out of date by itself.
STAMP_VENV := $(VENV)/.stamp-venv
STAMP_RUNTIME := $(VENV)/.stamp-runtime
STAMP_DEV := $(VENV)/.stamp-dev
STAMP_NODE := node_modules/.stamp-node

export PIP_DISABLE_PIP_VERSION_CHECK := 1

# --- for everybody --------------------------------------------------------------------------------

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: $(STAMP_RUNTIME) ## Play at a table that is already set (RESET=1 starts it over; needs Python only)
	@$(BIN)/python -m boonbridge demo $(ARGS)

.PHONY: test
test: setup browser proxies ## Run every check and every test but the long ones
	@failed=(); \
	for part in lint test-module test-python; do \
	  $(MAKE) --no-print-directory $$part || failed+=("$$part"); \
	done; \
	if (($${#failed[@]})); then echo "make test: failed in $${failed[*]}" >&2; exit 1; fi

.PHONY: bench
bench: $(STAMP_DEV) ## Measure against bare floors, in ratios (ARGS="roll full" picks some)
	@$(BIN)/python -m boonbridge bench $(ARGS)

.PHONY: bench-cards
bench-cards: setup browser ## Measure from the click to the card in Chromium, on the page and in Foundry's stand-in
	@$(BIN)/python -m tests.bench.cards $(ARGS)

# --- the parts of `make test` ---------------------------------------------------------------------

.PHONY: lint
lint: setup ## Look at the code without running it
	@failed=(); \
	check() { echo "== $$*"; "$$@" || failed+=("$$*"); }; \
	export PATH="$(CURDIR)/$(BIN):$(CURDIR)/node_modules/.bin:$$PATH"; \
	check ruff check .; \
	check ruff format --check .; \
	check mypy; \
	check lint-imports --no-logo; \
	check eslint --no-error-on-unmatched-pattern --max-warnings 0 foundry-module/scripts bridge/boonbridge/web tests/module; \
	check tsc -p jsconfig.json; \
	check tsc -p foundry-module/jsconfig.json; \
	check tsc -p tests/foundry_stage/types; \
	check python -m boonbridge_schemas.generate --check; \
	if (($${#failed[@]})); then printf 'make lint: failed: %s\n' "$${failed[@]}" >&2; exit 1; fi

.PHONY: test-module
test-module: $(STAMP_NODE) ## Run the JavaScript tests that need no browser
	@files=$$(find tests/module -name '*.test.mjs' 2>/dev/null | sort); \
	if [ -z "$$files" ]; then echo "tests/module has no *.test.mjs"; else node --test $(ARGS) $$files; fi

.PHONY: test-python
test-python: $(STAMP_DEV) ## Run pytest without the long tests (ARGS="-k boons" picks some, JOBS=0 is one process)
	@$(BIN)/python -m pytest -m "not long" --numprocesses $(JOBS) --dist worksteal $(ARGS)

.PHONY: test-long
test-long: setup browser proxies ## Run the tests that take minutes
	@$(BIN)/python -m pytest -m long --timeout 1800 $(ARGS)

# What atheris needs is fetched only here; where there is none for this machine the same targets are run by plain chance.
FUZZ_SECONDS ?= 60
.PHONY: fuzz
fuzz: $(STAMP_DEV) ## Throw chance at what comes from outside, a minute each (FUZZ_SECONDS=600 is longer)
	@$(BIN)/python -c 'import atheris' 2>/dev/null || $(BIN)/python -m pip install -qq -r requirements/fuzz.txt 2>/dev/null || true
	@$(BIN)/python -c 'import atheris' 2>/dev/null || echo "atheris cannot be installed here: plain chance instead, which finds less."
	@for target in wire commits tabledata; do \
	  $(BIN)/python -m tests.fuzz.run $$target --seconds $(FUZZ_SECONDS) $(ARGS) || exit 1; \
	done

# --- setting up -----------------------------------------------------------------------------------

.PHONY: setup
setup: $(STAMP_DEV) $(STAMP_NODE) ## Install what working on Boonbridge needs, in .venv and node_modules

.PHONY: browser
browser: ## Find a Chromium for the browser tests, or install one
	@tests/support/ensure_browser.sh

.PHONY: proxies
proxies: ## Find nginx and Caddy for the tests of proxies, or install them
	@tests/support/ensure_proxies.sh

$(STAMP_VENV):
	@command -v $(PYTHON) >/dev/null || { echo "Boonbridge needs Python 3.11 or newer; set PYTHON=/path/to/python3." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Boonbridge needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) -V); set PYTHON=python3.12 or so." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "$(PYTHON) cannot make virtual environments. On Debian or Ubuntu: sudo apt install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

# uv, once installed, is quicker; pip is always there, and knows the index that this machine is set up for.
# (pip's -qq leaves its errors and drops its warnings.)
define install
	@if [ -x $(BIN)/uv ] && VIRTUAL_ENV="$(CURDIR)/$(VENV)" $(BIN)/uv pip install --quiet $(1); then :; \
	else $(BIN)/python -m pip install -qq $(1); fi
endef

# The project itself is installed last and by hand: its dependencies are pinned above, its backend is already there.
define install_project
	@$(BIN)/python -m pip install -qq --no-deps --no-build-isolation --editable .
endef

$(STAMP_RUNTIME): $(STAMP_VENV) pyproject.toml hatch_build.py requirements/runtime.txt requirements/build.txt
	@echo "Installing what the server needs into $(VENV) ..."
	$(call install,-r requirements/runtime.txt -r requirements/build.txt)
	$(install_project)
	@touch $@

# Everything in runtime.txt and build.txt is in dev.txt too, at the same versions.
$(STAMP_DEV): $(STAMP_VENV) pyproject.toml hatch_build.py requirements/dev.txt
	@echo "Installing what working on Boonbridge needs into $(VENV) ..."
	$(call install,-r requirements/dev.txt)
	$(install_project)
	@touch $@ $(STAMP_RUNTIME)

$(STAMP_NODE): package.json package-lock.json .npmrc
	@node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' \
	  2>/dev/null && command -v npm >/dev/null || \
	  { echo "Checking the JavaScript needs Node.js 20.19 or newer, with npm. (Running Boonbridge does not.)" >&2; exit 1; }
	@echo "Installing the JavaScript tools into node_modules ..."
	@npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# --- keeping house --------------------------------------------------------------------------------

.PHONY: format
format: $(STAMP_DEV) ## Let the tools fix what they can
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

.PHONY: schemas
schemas: setup ## Write schemas/json, schemas/ts and schemas/golden anew from the Structs
	PATH="$(CURDIR)/$(BIN):$(CURDIR)/node_modules/.bin:$$PATH" python -m boonbridge_schemas.generate

.PHONY: docs
docs: $(STAMP_DEV) ## Write the generated parts of docs/reference anew
	$(BIN)/python docs/generate.py

.PHONY: pictures
pictures: setup browser ## Take the pictures of README and docs anew
	BOONBRIDGE_PICTURES=docs/images $(BIN)/python -m pytest tests/browser/test_pictures.py tests/browser/test_help_pictures.py tests/foundry/test_pictures.py tests/foundry/test_palette_pictures.py $(ARGS)

.PHONY: lock
lock: $(STAMP_DEV) ## Pin the Python packages anew (ARGS=--upgrade takes newer releases)
	requirements/lock.sh $(ARGS)

.PHONY: wheel
wheel: $(STAMP_DEV) ## Build the wheel into dist/
	$(BIN)/python -m build --wheel --no-isolation

.PHONY: clean
clean: ## Remove everything that was installed, built or cached; tables outside this folder stay
	rm -rf $(VENV) node_modules dist build .demo .coverage htmlcov .pytest_cache .mypy_cache .ruff_cache .hypothesis .fuzz .import_linter_cache
	find bridge schemas tests -name __pycache__ -type d -prune -exec rm -rf {} +
