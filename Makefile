# Every target makes .venv and installs what it needs when that is missing.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint pytest test-slow bench catalogue reproduce clean

demo: .venv/core.stamp
	$(BIN)/python experiments/demo/demo.py

test: lint pytest

lint: .venv/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

pytest: .venv/test.stamp
	$(BIN)/python -m pytest

test-slow: .venv/test.stamp
	$(BIN)/python -m pytest -m slow

bench: .venv/test.stamp
	$(BIN)/python -m experiments.benchmarks.run

reproduce: .venv/test.stamp
	$(BIN)/python -m experiments.amorim_cardoso_2014

catalogue: .venv/core.stamp
	$(BIN)/python -m chancecorr.catalogue.page

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/core.stamp: pyproject.toml constraints.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable .
	touch $@

.venv/test.stamp: pyproject.toml constraints.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test]'
	touch $@ .venv/core.stamp

clean:
	rm -rf .venv .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis dist
	find chancecorr tests experiments -name __pycache__ -type d -prune -exec rm -rf {} +
