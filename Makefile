# Two commands do everything on a fresh machine: `make demo` and `make test`.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help demo test lint format soak bench bench-sight train mutants readme constraints clean

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do command -v $$p >/dev/null && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEBIAN := python3-venv libgl1 libglib2.0-0 tesseract-ocr
export PIP_DISABLE_PIP_VERSION_CHECK = 1

help:
	@echo "make demo      set up, and score the samples, rule on a dispute, replay a match, read a photo"
	@echo "make test      set up, and run the tests"
	@echo "make lint      format, ruff, mypy --strict, import contracts"
	@echo "make soak      kill the program 200 times, and see whether an entry is lost"
	@echo "make bench     measure, and write tests/bench/RESULTS.md"
	@echo "make bench-sight  photograph the decks under all conditions, and count what was read"
	@echo "make train     draw what both networks learn from, and train them anew (two hours; see their MODEL_CARD.md)"
	@echo "make mutants   change the code a little, many times, and see whether the tests notice"

$(READY): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: apt-get install python3"; exit 1; }
	@missing=""; \
	if command -v dpkg >/dev/null; then \
	  for p in $(DEBIAN); do dpkg -s $$p >/dev/null 2>&1 || missing="$$missing $$p"; done; \
	  if [ -n "$$missing" ]; then \
	    sudo=""; [ "$$(id -u)" = 0 ] || sudo="sudo -n"; \
	    if [ -z "$$sudo" ] || $$sudo true 2>/dev/null; then \
	      $$sudo apt-get -qq update && DEBIAN_FRONTEND=noninteractive $$sudo apt-get -qq install -y --no-install-recommends $$missing >/dev/null \
	        || echo "Going on without:$$missing"; \
	    else echo "For reading photographs, as root: apt-get update && apt-get install$$missing"; fi; \
	  fi; \
	fi
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "Python lacks venv; as root: apt-get update && apt-get install python3-venv"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -q -c constraints.txt -e '.[dev,club]' --config-settings editable_mode=compat >$(VENV)/install.log 2>&1 || { tail -n 30 $(VENV)/install.log; exit 1; }
	@$(BIN)/python -c 'import companion, textual, hypothesis'
	@$(BIN)/python -m compileall -q companion card_catalog
	@touch $@

demo: $(READY)
	@$(BIN)/python -m compileall -q companion card_catalog
	@bash samples/demo.sh $(BIN)/companion

test: $(READY)
	@$(BIN)/python -m compileall -q companion card_catalog
	@$(BIN)/python -m pytest -n auto

lint: $(READY)
	@$(BIN)/ruff format --check
	@$(BIN)/ruff check
	@$(BIN)/mypy
	@$(BIN)/lint-imports

format: $(READY)
	@$(BIN)/ruff format
	@$(BIN)/ruff check --fix

soak: $(READY)
	@COMPANION_SOAK=200 $(BIN)/python -m pytest -n 1 tests/storage/test_killed.py

bench: $(READY)
	@$(BIN)/python -m compileall -q companion card_catalog
	@$(BIN)/python tests/bench/run.py

bench-sight: $(READY)
	@$(BIN)/python -m tests.bench.sight.run --results tests/bench/RESULTS.md

train: $(READY)
	@test -x .venv-train/bin/python || $(PYTHON) -m venv .venv-train
	@.venv-train/bin/python -m pip install -q -c constraints.txt -e '.[train]' --config-settings editable_mode=compat
	@.venv-train/bin/python -m companion.vision.index_reader.train --examples tests/vision/index_patches.npz
	@.venv-train/bin/python -m companion.vision.outline_net.train --examples tests/vision/outline_outputs.npz

mutants: $(READY)
	@$(BIN)/python -m pip install -q -c constraints.txt -e '.[mutants]' --config-settings editable_mode=compat >$(VENV)/install.log 2>&1
	@$(BIN)/python tests/bench/mutants.py $(MUTANTS)

constraints: $(READY)
	@{ echo "# Pinned with Python $$($(BIN)/python -c 'import platform; print(platform.python_version())'); made by: make constraints"; \
	  $(BIN)/python -m pip freeze --exclude-editable | grep -v '^-e'; } > constraints.txt

clean:
	@rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache mutants

readme: $(READY)
	@$(BIN)/python -m tests.readme
