"""Run a study: ``python -m experiments STUDY [--quick | --full] [--only CELL ...] [--jobs 2] [--seed N]``."""

import argparse
import importlib
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path

from experiments.common.kept import write_whole
from experiments.common.report import times_page
from experiments.common.runs import Cell, Study, run
from experiments.common.summary import update_page

HERE = Path(__file__).resolve().parent
STUDIES = (
    "amorim_cardoso_2014",
    "rajasekhara_pujari_2010",
    "zhang_wong_shen_2012",
    "franti_rezaei_2016",
    "rand_index_blog",
    "gates_ahn_2017",
    "lei_2017",
    "selection_bias",
    "null_ranking",
)
"""Folders of the studies, in the order in which the papers came to be reproduced."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the study that is named, or all of them; returns the exit code."""
    options = _parser().parse_args(arguments)
    names = STUDIES if options.study == "all" else (options.study,)
    for name in names:
        try:
            with _ended_as_interrupted():
                _run(load_study(name), options)
        except (ValueError, FileNotFoundError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            print(
                f"{name}: stopped; what is finished is kept, and the same command goes on.", file=sys.stderr
            )
            return 130
    return 0


@contextmanager
def _ended_as_interrupted() -> Iterator[None]:
    """SIGTERM ends a run as Ctrl-C does, so that workers end and their semaphores are given back."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def load_study(name: str) -> Study:
    """The study of a folder: ``STUDY`` in its module ``study``."""
    study: Study = importlib.import_module(f"experiments.{name}.study").STUDY
    return study


def _run(study: Study, options: argparse.Namespace) -> None:
    """Evaluate what is asked for, or what is left of it, and write the results."""
    cells = chosen(study.full if options.full else study.quick, options.only)
    seed = study.seed if options.seed is None else options.seed
    folder = options.folder or folder_of(study, full=options.full, only=options.only, seed=seed)
    units = (options.cache or HERE.parent / ".cache" / "studies") / study.name
    if options.fresh:
        shutil.rmtree(units, ignore_errors=True)
    began = time.perf_counter()
    outcome = run(study.evaluate, cells, seed=seed, jobs=options.jobs, folder=units, label=study.name)
    evaluated = time.perf_counter()
    study.write(outcome, folder)
    write_whole(folder / "times.md", times_page(outcome))
    if folder == HERE / study.name / "results":
        update_page(STUDIES)
    written = time.perf_counter()
    count = sum(cell.replicates for cell in cells)
    print(
        f"{study.name}: {count:,} units in {evaluated - began:.0f} s, written in {written - evaluated:.0f} s"
        f" to {os.path.relpath(folder, HERE.parent)}"
    )


def chosen(cells: Sequence[Cell], only: Sequence[str] | None) -> tuple[Cell, ...]:
    """The cells whose names match one of the patterns; all without patterns."""
    if not only:
        return tuple(cells)
    for pattern in only:
        if not any(fnmatchcase(cell.name, pattern) for cell in cells):
            raise ValueError(
                f"`--only` must match a cell; got {pattern!r}. There are {len(cells)}, such as"
                f" {', '.join(cell.name for cell in cells[:3])}; * stands for any text."
            )
    return tuple(cell for cell in cells if any(fnmatchcase(cell.name, pattern) for pattern in only))


def folder_of(study: Study, *, full: bool, only: Sequence[str] | None, seed: int) -> Path:
    """Where results go: beside the study only those of a full run with its own seed, else to ``build``."""
    if full and not only and seed == study.seed:
        return HERE / study.name / "results"
    return HERE.parent / "build" / study.name


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m experiments",
        description="Run a study again, or what is left of a run that was stopped.",
        epilog="Results of a full run stand beside the study; those of any other go to build/.",
    )
    parser.add_argument("study", choices=[*STUDIES, "all"])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="a few cells with few replicates (default)")
    size.add_argument("--full", action="store_true", help="everything, for the committed results")
    parser.add_argument("--only", nargs="+", metavar="CELL", help="names of cells; * stands for any text")
    parser.add_argument("--jobs", type=_positive, default=2, help="worker processes (2); any gives the same")
    parser.add_argument("--seed", type=int, help="another seed than the study's own")
    parser.add_argument("--fresh", action="store_true", help="forget the study's kept units first")
    parser.add_argument("--folder", type=Path, help="where the results go")
    parser.add_argument("--cache", type=Path, help="where finished units are kept (.cache/studies)")
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number, at least 1; got {text!r}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
