# make demo   opens the app on a sample set        make test    everything that is checked
# make bench  prints the measured figures          make docs    writes the generated documents
# make soak   watches for half an hour what memory does with a change each second
# make pictures takes pictures of all screens in four sizes into docs/pictures/all
# make format tidies the code             make agreement   many files against other tools: EVALTUI_ADK_PYTHON, EVALTUI_AGENTEVALS_PYTHON, EVALTUI_AGENTS_CLI_PYTHON, EVALTUI_CES_PYTHON

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: demo test lint types contracts pytest soak bench agreement docs pictures format clean

demo: $(INSTALLED)
	$(BIN)/evaltui edit sample_sets/trip_planner.evalset.json -r sample_sets/recordings

test: lint types contracts pytest

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(INSTALLED)
	$(BIN)/mypy

contracts: $(INSTALLED)
	$(BIN)/lint-imports

pytest: $(INSTALLED)
	$(BIN)/pytest

soak: $(INSTALLED)
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

# Installed again when the dependencies change; `demo` needs the same set, so that one venv serves all.
# Compiled here because some machines keep Python from writing bytecode: without it each start takes 0.2 s longer.
$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("evaltui needs Python 3.11 or newer; try: make PYTHON=python3.12") if sys.version_info < (3, 11) else 0'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@$(BIN)/python -m compileall -q evaltui
	@touch $@

clean:
	rm -rf $(VENV)
