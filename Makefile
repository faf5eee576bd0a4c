# Every target makes .venv and installs what it needs when that is missing.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

# Versions of Python that `make test-pythons` tests, each in an environment of its own.
PYTHONS ?= python3.11 python3.12 python3.13

# The versions that the tests were last run with; empty for the newest.
CONSTRAINTS = --constraint constraints.txt

# Python compiles what it imports; pip would compile all that it installs, which takes longer than all else.
PIP_QUIETLY := --quiet --disable-pip-version-check --no-compile

# The pip that comes with Python takes twice as long; it does where this one cannot be had.
QUICK_PIP := pip==26.3 --hash=sha256:f3b60b20ffaadd4415ed7957212a38ac63fa4c5fa375bd0f4a797777940fad13

# Tests run in as many processes as there are processors, up to 8: each collects all tests for itself.
PYTEST := $(BIN)/python -m pytest --numprocesses logical --maxprocesses 8 --dist worksteal

# Of `make fast`: folders of tests, empty for all; of each test, every so many-th case.
FAST ?=
ONE_IN ?= 1

# Tests of the kernels, which run a second time as plain Python, every third case: there NumPy checks every index against its
# bounds, and warns of integers that overflow, where that is not what a random stream is made of.
KERNEL_TESTS := tests/sampling tests/exact/moments/test_additive.py tests/exact/moments/test_convolution.py \
	tests/indices/test_assignment.py \
	tests/indices/test_cluster_level.py tests/indices/test_coreference.py tests/indices/test_irm.py tests/clusterings/test_permuted.py \
	tests/clusterings/test_pair_space.py

# Python keeps bytecode, even where that is switched off: without it every process that a test starts compiles
# the package again, and pytest rewrites the assertions of all test files in each of its processes.
unexport PYTHONDONTWRITEBYTECODE

# Prerequisites are made one after another, even under `make -j`, so that pytest's closing line comes last.
.NOTPARALLEL:

# What needs most kernels: it compiles them once, before processes side by side would, each for itself.
COMPILING_TESTS := tests/golden tests/catalogue/test_degenerate.py

# What then needs some more.
OTHER_COMPILING_TESTS := tests/sampling/test_lanes.py tests/sampling/test_objects.py tests/indices/test_listed_matchings.py

EXPERIMENT_TESTS := tests/experiments tests/test_notebooks.py

# What ends, stops, interrupts or compares processes, or changes kernels, and so starts many.
FAULT_TESTS := tests/sampling/test_dask_client.py tests/sampling/test_workers.py \
	tests/sampling/test_processors.py tests/sampling/test_checkpoint.py \
	tests/sampling/test_interruption.py tests/cli/test_interruption.py tests/cli/test_streams.py \
	tests/machine/test_compiled.py

SITE_TESTS := $(wildcard tests/browser/test_site*.py) tests/docs

# What stands between the package and its dependencies, tested with the lowest versions that pyproject.toml admits.
# Matplotlib of that time uses names that pyparsing 3.3 warns of.
LOWEST_TESTS := tests/tables tests/sampling tests/correction tests/indices tests/golden tests/ensembles \
	tests/prototypes tests/plotting tests/report tests/cli
LOWEST_WITH := hypothesis jsonschema polars pytest pytest-xdist genieclust 'pyparsing<3.3'

# What builds the wheel and the sdist.
DIST_WITH := build hatchling

# What measures the tests.
MEASURED_WITH := coverage

.PHONY: demo check fast test test-experiments test-browser test-site docs dist test-dist test-faults long chaos lint style layout types uncompiled bounds first-compilation compilation-of-others pytest lowest test-pythons nightly coverage mutation bench instructions catalogue reproduce everything clean

demo: $(VENV)/core.stamp
	$(BIN)/python experiments/demo/demo.py

# What to run while working.
check: lint fast

fast: $(VENV)/test.stamp
	$(PYTEST) --one-in $(ONE_IN) -m "not heavy and not long and not browser and not dist and not chaos" $(patsubst %,--ignore=%,$(EXPERIMENT_TESTS)) $(FAST)

# Everything of the package that is tested. What no second processor is needed for runs beside the first
# compilation of most kernels.
test: beside-the-first-compilation pytest

beside-the-first-compilation: $(VENV)/test.stamp
	$(MAKE) --no-print-directory first-compilation & compiling=$$!; \
	$(MAKE) --no-print-directory lint uncompiled bounds compilation-of-others; linted=$$?; \
	wait $$compiling && exit $$linted

first-compilation: $(VENV)/test.stamp
	$(BIN)/python -m pytest -q -m "not long" $(COMPILING_TESTS)

compilation-of-others: $(VENV)/test.stamp
	$(BIN)/python -m pytest -q -m "not long" $(OTHER_COMPILING_TESTS)

# Studies of published tables in small, benchmarks, and notebooks, as a user would run them.
test-experiments: $(VENV)/test.stamp
	$(PYTEST) -m "not long and not browser and not chaos" $(EXPERIMENT_TESTS)

# Workers that are the same, others, or lost; forks, missing streams, Ctrl-C in every phase, changed kernels.
test-faults: $(VENV)/test.stamp
	$(PYTEST) -m "not long" $(FAULT_TESTS)

lint: style layout types

style: $(VENV)/test.stamp
	$(BIN)/ruff check .

layout: $(VENV)/test.stamp
	$(BIN)/ruff format --check .

types: $(VENV)/test.stamp
	$(BIN)/mypy

uncompiled: $(VENV)/test.stamp
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q --one-in 3 -m "not heavy and not long" $(KERNEL_TESTS)

# Kernels that draw, compiled with a check of every index, in a folder of machine code of their own.
bounds: $(VENV)/test.stamp
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=.cache/bounds $(BIN)/python -m pytest -q tests/sampling/test_bounds.py

pytest: $(VENV)/test.stamp
	$(PYTEST) -m "not long and not browser and not dist and not chaos" $(patsubst %,--ignore=%,$(EXPERIMENT_TESTS) $(FAULT_TESTS) $(COMPILING_TESTS) $(OTHER_COMPILING_TESTS) tests/docs)

# Reports as their readers see them, in headless Chromium. Without one the tests are skipped, and say what to install.
test-browser: $(VENV)/browser.stamp
	$(BIN)/python -m pytest -m "browser and not long" tests/browser/test_report.py

# The site, once it is built: a page of each kind; without a browser its links, and how its pages are made.
test-site: docs $(VENV)/browser.stamp
	$(PYTEST) -m "not long" $(SITE_TESTS)

# The site, in docs/_build/html. Its code is executed and its figures are made here; a warning is an error.
docs: $(VENV)/docs.stamp
	$(BIN)/python -m sphinx -j auto -b html -W --keep-going --quiet docs docs/_build/html

# The wheel and the sdist, in dist/; the wheel is made from the sdist.
dist: $(VENV)/dist.stamp
	rm -rf dist
	$(BIN)/python -m build --no-isolation

# What is in the two, and the wheel as another user has it, who may not write where it is installed.
test-dist: dist $(VENV)/test.stamp
	$(BIN)/python -m pytest -m dist tests/packaging

# What takes far longer than the rest; pages of the site are looked at if it is built and there is a browser.
long: $(VENV)/test.stamp
	$(PYTEST) -m long

# Workers that are killed, stopped, out of memory or late. One after another, so that none waits for a processor.
chaos: $(VENV)/test.stamp
	$(BIN)/python -m pytest -m chaos --durations=0 tests/chaos

# All tests with other versions of Python, and the versions of NumPy and others that are the newest there. Types and
# style are checked by `make lint` alone: NumPy describes its types anew with each version.
test-pythons:
	for python in $(PYTHONS); do \
		echo "== $$($$python --version)"; \
		$(MAKE) --no-print-directory PYTHON=$$python VENV=.venv-$$(basename $$python) CONSTRAINTS= \
			first-compilation compilation-of-others uncompiled pytest || exit 1; \
	done

# Fast tests with what NumPy, SciPy and Numba will be: pre-releases, and nightly wheels of the index that
# PIP_EXTRA_INDEX_URL names.
nightly:
	$(MAKE) --no-print-directory VENV=.venv-nightly CONSTRAINTS= .venv-nightly/test.stamp
	.venv-nightly/bin/python -m pip install $(PIP_QUIETLY) --pre --upgrade numpy scipy numba
	$(MAKE) --no-print-directory VENV=.venv-nightly CONSTRAINTS= fast

lowest: .venv-lowest/stamp
	NUMBA_CACHE_DIR=.venv-lowest/numba .venv-lowest/bin/python -m pytest -m "not heavy and not long and not browser and not chaos" $(LOWEST_TESTS)

# Lines and branches that the fast tests execute; kernels by a second run, in which they are plain Python.
coverage: $(VENV)/measured.stamp
	rm -rf .cache/coverage
	$(BIN)/python -m coverage run -m pytest -q -m "not heavy and not long and not browser and not dist and not chaos" $(patsubst %,--ignore=%,$(EXPERIMENT_TESTS))
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m coverage run -m pytest -q -m "not heavy and not long" $(KERNEL_TESTS)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report --skip-empty

# Small errors that tests found before, put into a copy of the code: a sample of them, on Linux.
mutation: $(VENV)/test.stamp
	$(BIN)/python -m experiments.mutants --sample 100

bench: $(VENV)/test.stamp
	$(BIN)/python -m experiments.benchmarks.run

# Instructions of thirteen calls against those of the last release: repeatable, where times are not. Needs Valgrind.
instructions: $(VENV)/test.stamp
	$(BIN)/python -m experiments.benchmarks.instructions

reproduce: $(VENV)/test.stamp
	$(BIN)/python -m experiments all --full

catalogue: $(VENV)/core.stamp
	$(BIN)/python -m experiments.selection_bias.run
	$(BIN)/python docs/_ext/catalogue_markdown.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	echo "$(QUICK_PIP)" > $(VENV)/pip.txt
	-$(BIN)/python -m pip install $(PIP_QUIETLY) --require-hashes --requirement $(VENV)/pip.txt

$(VENV)/core.stamp: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install $(PIP_QUIETLY) $(CONSTRAINTS) --editable .
	touch $@

$(VENV)/test.stamp: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install $(PIP_QUIETLY) $(CONSTRAINTS) --editable '.[test]'
	touch $@ $(VENV)/core.stamp

$(VENV)/dist.stamp: constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install $(PIP_QUIETLY) $(CONSTRAINTS) $(DIST_WITH)
	touch $@

$(VENV)/docs.stamp: $(VENV)/test.stamp
	$(BIN)/python -m pip install $(PIP_QUIETLY) $(CONSTRAINTS) --editable '.[test,docs]'
	touch $@

$(VENV)/measured.stamp: $(VENV)/test.stamp
	$(BIN)/python -m pip install $(PIP_QUIETLY) $(CONSTRAINTS) $(MEASURED_WITH)
	touch $@

$(VENV)/browser.stamp: $(VENV)/test.stamp
	$(BIN)/python -m pip install $(PIP_QUIETLY) $(CONSTRAINTS) --editable '.[test,browser]'
	touch $@

# All that any target needs, in one go, as CI installs it: only files whose hashes are known.
everything: | $(VENV)/bin/python
	$(BIN)/python -m pip install $(PIP_QUIETLY) --require-hashes --requirement .ci/requirements.txt
	$(BIN)/python -m pip install $(PIP_QUIETLY) --no-deps --no-build-isolation --editable .
	touch $(VENV)/core.stamp $(VENV)/test.stamp $(VENV)/dist.stamp $(VENV)/docs.stamp $(VENV)/browser.stamp

.venv-lowest/stamp: pyproject.toml experiments/common/lowest_versions.py
	$(PYTHON) -m venv --clear .venv-lowest
	$(PYTHON) experiments/common/lowest_versions.py > .venv-lowest/constraints.txt
	.venv-lowest/bin/python -m pip install $(PIP_QUIETLY) \
		--constraint .venv-lowest/constraints.txt --editable '.[plot,report,tables,pandas,dask,experiments]' $(LOWEST_WITH)
	touch $@

clean:
	rm -rf .venv .venv-* .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build docs/_build
	find chancecorr tests experiments -name __pycache__ -type d -prune -exec rm -rf {} +
