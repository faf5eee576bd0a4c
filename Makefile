# Every target makes .venv and installs what it needs if that is missing.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

# The versions that the tests were last run with; empty for the newest.
CONSTRAINTS = --constraint constraints.txt

# Python compiles what it imports; pip would compile all that it installs, which takes longer than all else.
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile

# Tests run in as many processes as there are processors, up to 8.
PYTEST = $(BIN)/python -m pytest --numprocesses logical --maxprocesses 8 --dist worksteal

# Tests that `make test` runs, those that `make slow` adds, and those that `make long` adds.
QUICK := not slow and not long
SLOW := slow and not long
LONG := long

# Tests that `make check` runs: those of the folder on which you work, as in `make check TESTS=tests/chance`.
TESTS := tests/correction tests/indices

# Tests of the kernels, which run a second time as plain Python: there NumPy checks every index against its bounds,
# and warns of integers that overflow.
KERNEL_TESTS := tests/sampling tests/exact/test_additive.py \
	tests/indices/test_assignment.py tests/indices/test_clusters.py \
	tests/indices/test_irm.py tests/clusterings/test_permuted.py tests/clusterings/test_pair_space.py

# What stands between the package and its dependencies, tested with the lowest versions that pyproject.toml admits.
# Matplotlib of that time uses names that pyparsing 3.3 warns of.
LOWEST_TESTS := tests/tables tests/sampling tests/correction tests/indices tests/golden tests/ensembles \
	tests/prototypes tests/plotting tests/report tests/cli
LOWEST_WITH := hypothesis jsonschema polars pytest pytest-xdist genieclust 'pyparsing<3.3'

# Python keeps bytecode, even where that is switched off: without it every process that a test starts compiles
# the package again, and pytest rewrites the assertions of all test files in each of its processes.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo check lint quick test slow studies long docs dist bench instructions reproduce catalogue coverage lowest

demo: $(VENV)/core.stamp
	$(BIN)/python experiments/demo/demo.py

# While working: style, types, and the quick tests of a folder.
check: lint
	$(PYTEST) -m "$(QUICK)" $(TESTS)

lint: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Before a change is proposed.
test: lint quick

quick: $(VENV)/test.stamp
	$(PYTEST) -m "$(QUICK)"

# What `make test` leaves out: many processes, notebooks, the wheel, the site, reports in a browser.
slow: dist docs
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m "$(QUICK)" $(KERNEL_TESTS)
	$(PYTEST) -m "$(SLOW)" --ignore tests/experiments tests

# Tests of the studies, a small run of each among them.
studies: $(VENV)/all.stamp
	$(PYTEST) -m "$(SLOW)" tests/experiments

# Before a release: what takes minutes each, all cases of what the others run in part, workers that are killed or
# starved, and kernels that draw, compiled with a check of every index.
long: docs
	$(PYTEST) -m "$(LONG)" --ignore tests/chaos tests
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=.cache/bounds $(BIN)/python -m pytest -q tests/sampling/test_bounds.py
	$(BIN)/python -m pytest -m "$(LONG)" tests/chaos

# The site, in docs/_build/html. Its code is executed and its figures are made here; a warning is an error.
docs: $(VENV)/all.stamp
	$(BIN)/python -m sphinx -j auto -b html -W --keep-going --quiet docs docs/_build/html

# The sdist, and the wheel that is made from it, in dist/.
dist: $(VENV)/all.stamp
	rm -rf dist
	$(BIN)/python -m build --no-isolation

bench: $(VENV)/all.stamp
	$(BIN)/python -m experiments.benchmarks.run

# Instructions of thirteen calls against those of the last release: repeatable, where times are not. Needs Valgrind.
instructions: $(VENV)/all.stamp
	$(BIN)/python -m experiments.benchmarks.instructions

# All studies in full.
reproduce: $(VENV)/all.stamp
	$(BIN)/python -m experiments all --full

catalogue: $(VENV)/all.stamp
	$(BIN)/python -m experiments.selection_bias.run
	$(BIN)/python docs/_ext/catalogue_markdown.py

# Lines and branches that the quick tests execute; kernels by a second run, in which they are plain Python.
coverage: $(VENV)/all.stamp
	rm -rf .cache/coverage
	$(BIN)/python -m coverage run -m pytest -q -m "$(QUICK)" --ignore tests/experiments
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m coverage run -m pytest -q -m "$(QUICK)" $(KERNEL_TESTS)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report --skip-empty

lowest: pyproject.toml
	$(PYTHON) -m venv --clear .venv-lowest
	$(PYTHON) experiments/common/lowest_versions.py > .venv-lowest/constraints.txt
	.venv-lowest/bin/python -m pip install --quiet --constraint .venv-lowest/constraints.txt \
		--editable '.[plot,report,tables,pandas,dask,experiments]' $(LOWEST_WITH)
	NUMBA_CACHE_DIR=.venv-lowest/numba .venv-lowest/bin/python -m pytest -m "$(QUICK)" $(LOWEST_TESTS)

$(VENV)/core.stamp $(VENV)/test.stamp $(VENV)/all.stamp: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) $(CONSTRAINTS) $(WITH_$(notdir $(basename $@)))
	touch $@ $(patsubst %,$(VENV)/%.stamp,$(PARTS_OF_$(notdir $(basename $@))))

WITH_core := --editable .
WITH_test := --editable '.[test]'
WITH_all := --editable '.[all-tests,docs,browser]' build hatchling coverage
PARTS_OF_test := core
PARTS_OF_all := core test
