# Two commands do everything on a fresh machine: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXAMPLES := $(wildcard examples/*/suite.yaml)

.PHONY: run prove test test-quick lint format bench clean

run: $(VENV)/installed
	$(BIN)/probare run $(patsubst %/suite.yaml,%,$(EXAMPLES))

prove: $(VENV)/installed
	$(BIN)/probare prove $(patsubst %/suite.yaml,%,$(EXAMPLES))

test: $(VENV)/installed
	$(BIN)/python -m pytest -n 2 --slow --cov --cov-report=term:skip-covered --cov-fail-under=85

test-quick: $(VENV)/installed
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports

format: $(VENV)/installed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/installed
	$(BIN)/python benchmarks/run.py

$(VENV)/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) build dist .coverage* .hypothesis
