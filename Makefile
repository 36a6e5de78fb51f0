# Two commands do all the set-up: `make demo` and `make test`. Python 3.11 or newer is all they need.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Nothing is fetched from model hubs while tests and the demo run.
OFFLINE := YOLO_OFFLINE=1 HF_HUB_OFFLINE=1 YOLO_CONFIG_DIR=$(abspath $(VENV))/ultralytics

.PHONY: help install demo test test-slow lint format clean

help:  ## Show what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

install: $(STAMP)  ## Make the environment and install

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; assert sys.version_info >= (3, 11), "Python 3.11 or newer is needed"'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(STAMP)

demo: $(STAMP)  ## Index the sample site and show some searches
	$(OFFLINE) $(BIN)/vision-ctx demo

test: $(STAMP)  ## Check style and types, run the fast tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(OFFLINE) $(BIN)/python -m pytest -q -n auto --durations=10

test-slow: $(STAMP)  ## Run the slow tests: real weights, real recordings, long videos
	$(OFFLINE) $(BIN)/python -m pytest -q -m slow -rs --durations=10

lint: $(STAMP)  ## Check style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(STAMP)  ## Format the code
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

clean:  ## Remove the environment and what the demo made
	rm -rf $(VENV) vision-ctx-demo
