# make demo       opens the app on a sample set
# make test       runs the checks for every change: lint, types, contracts, tests
# make test-all   runs everything: all samples and public files, many examples, Ray, other tools, a minute of changes
# make cluster    runs the tests that need Ray
# make test-versions  runs the tests on each Python from 3.11 on that is found, each in a venv below .venvs
# make format     formats the code
# make docs       writes the generated documents and the pictures of the README
# make pictures   takes pictures of all screens in four sizes into docs/pictures/all
# make bench      prints the measured figures
# make soak       scores half a million cases; then changes a file each second for half an hour; prints the memory in use
# make agreement  compares evaltui with other tools on many files; CONTRIBUTING.md names the variables it needs

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
WITH_RAY := $(VENV)/.with-ray

.PHONY: demo test test-all test-versions lint types contracts pytest cluster soak bench agreement docs pictures format clean

demo: $(INSTALLED)
	$(BIN)/evaltui edit sample_sets/trip_planner.evalset.json -r sample_sets/recordings

test: $(INSTALLED)
	$(MAKE) --no-print-directory --jobs=2 lint types contracts
	$(MAKE) --no-print-directory pytest

test-all: $(INSTALLED)
	$(MAKE) --no-print-directory --jobs=2 lint types contracts
	$(BIN)/pytest --thorough --timeout=1200
	$(MAKE) --no-print-directory cluster agreement
	$(BIN)/python -m benchmarks.soak 2

# Tests of a terminal take long, and depend on no version.
test-versions:
	$(PYTHON) tests/versions.py

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(INSTALLED)
	$(BIN)/mypy

contracts: $(INSTALLED)
	$(BIN)/lint-imports

pytest: $(INSTALLED)
	$(BIN)/pytest

# One test after another, and none beside them: each uses all processors.
cluster: $(WITH_RAY)
	$(BIN)/pytest -n 0 -m cluster tests/runs

soak: $(INSTALLED)
	$(BIN)/python -m benchmarks half-million
	$(BIN)/python -m benchmarks.soak

bench: $(INSTALLED)
	$(BIN)/python -m benchmarks

agreement: $(INSTALLED)
	EVALTUI_MUTATIONS=200 $(BIN)/pytest tests/agreement

docs: $(INSTALLED)
	$(BIN)/python -m docs.generate

pictures: $(INSTALLED)
	$(BIN)/python -m docs.pictures

format: $(INSTALLED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Runs again when the dependencies change. All targets share one venv.
# It compiles the package, because Python cannot write bytecode on some machines. Without it, each start takes 0.2 s more.
$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("evaltui needs Python 3.11 or newer; try: make PYTHON=python3.12") if sys.version_info < (3, 11) else 0'
	@echo "Setting up $(VENV) (about a minute, once) …"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@$(BIN)/python -m compileall -q evaltui
	@touch $@

# Only tests need Ray. It is not to be had for every Python and machine; its tests then say that they are skipped.
# compileall uses all processors, pip only one.
$(WITH_RAY): $(INSTALLED)
	@echo "Adding Ray to $(VENV) for the tests of runs on a cluster (about a minute, once) …"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[ray,store]' \
	  || echo "Ray cannot be installed here: tests of runs on a cluster will be skipped"
	@$(BIN)/python -m compileall -q -j 0 -x '/tests?/' $(VENV)/lib >/dev/null || true
	@touch $@

clean:
	rm -rf $(VENV) .venvs
