# `make demo` and `make test` need only Python 3.11+ (with venv) and make; both set themselves up in .venv.

PYTHON ?= python3
VENV := .venv
HARNESS := .venv-harness
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
RUN_DIR ?= runs/demo
export RUN_DIR
MODEL := $(VENV)/models/SmolLM2-135M-Instruct.Q4_1.gguf

.PHONY: demo test test-long test-browser test-fast test-local test-harness local-model lint format types imports unit wheel-check clean

demo: $(VENV)/.ready
	$(BIN)/salitrap demo --run "$$RUN_DIR"

test: lint types imports unit

lint: $(VENV)/.ready-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

format: $(VENV)/.ready-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

types: $(VENV)/.ready-dev
	$(BIN)/mypy

imports: $(VENV)/.ready-dev
	$(BIN)/lint-imports

unit: $(VENV)/.ready-dev
	$(BIN)/pytest -n 2 -m "not long and not browser and not harness"

test-long: $(VENV)/.ready-dev
	$(BIN)/pytest -n 2

# The review in a real headless Chromium: on Debian, apt-get install chromium chromium-driver. Fails, not skips, without.
test-browser: $(VENV)/.ready-dev
	SALITRAP_TEST_BROWSER=1 $(BIN)/pytest -m browser

# With the compiled index (extra fast). Fails, not skips, without numba.
test-fast: $(VENV)/.ready-fast
	$(BIN)/python -c 'import numba'
	$(BIN)/pytest tests/curation/test_index.py tests/curation/test_corpus.py

# With a real, small model in this process: downloads about 130 MB the first time. Fails, not skips, without it.
test-local: local-model
	SALITRAP_TEST_LOCAL=1 $(BIN)/pytest -m local

local-model: $(VENV)/.ready-local
	$(BIN)/python .ci/local-model $(MODEL)

# The files for other harnesses, run by Inspect, lm-eval and lighteval's source in an environment of their own
# (about 1 GB) without SaliTrap, offline. Fails, not skips, without it.
test-harness: $(VENV)/.ready-dev $(HARNESS)/.ready
	SALITRAP_TEST_HARNESS=1 SALITRAP_HARNESS_VENV=$(HARNESS) $(BIN)/pytest -n 2 --dist loadfile -m harness tests/exports/harness

# What a user installs: the wheel, in an environment without development tools, used from another directory.
wheel-check: $(VENV)/.ready-dev
	bash .ci/wheel-check $(BIN)/python

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) install --quiet --constraint constraints.txt --editable .
	touch $@

$(VENV)/.ready-dev: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@ $(VENV)/.ready

$(VENV)/.ready-local: $(VENV)/.ready-dev
	$(PIP) install --quiet --constraint constraints.txt --editable '.[local]'
	touch $@

$(VENV)/.ready-fast: $(VENV)/.ready-dev
	$(PIP) install --quiet --constraint constraints.txt --editable '.[fast]'
	touch $@

# lighteval's dependencies (torch among them) come to gigabytes and are left out; its tests say what stands in.
$(HARNESS)/.ready: constraints-harness.txt
	$(PYTHON) -m venv $(HARNESS)
	$(HARNESS)/bin/python -m pip --disable-pip-version-check install --quiet --no-compile \
	  --constraint constraints-harness.txt inspect-ai lm-eval openai
	$(HARNESS)/bin/python -m pip --disable-pip-version-check install --quiet --no-deps lighteval==0.13.0
	touch $@

clean:
	rm -rf $(VENV) $(HARNESS) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis

# Renew constraints.txt from what the ranges in pyproject.toml resolve to today.
.PHONY: constraints
constraints:
	rm -rf $(VENV)-constraints && $(PYTHON) -m venv $(VENV)-constraints
	$(VENV)-constraints/bin/python -m pip install --quiet --editable '.[dev,local,fast,bench]'
	{ head -1 constraints.txt; $(VENV)-constraints/bin/python -m pip freeze --exclude-editable | sort -f; } > constraints.new
	mv constraints.new constraints.txt && rm -rf $(VENV)-constraints
