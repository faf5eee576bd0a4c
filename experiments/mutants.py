"""Whether the tests still find small errors: ``python -m experiments.mutants --sample 100``.

`mutants.json` has lines of the package, each with an error that a test found: a number changed by one, an
operator replaced, a condition negated. Each is put into a copy of the repository, where the tests of its room
run until one fails. Lines that are no longer there, or stand in two places, are left out. Cosmic Ray makes
new errors: ``cosmic-ray init .ci/cosmic-ray.toml SESSION``, then ``exec``.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from experiments.common.kept import ROOT

KEPT = Path(__file__).with_name("mutants.json")
PYTEST = ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not long"]
MAX_SECONDS = 600


class Mutant(NamedTuple):
    """A line of a file, and the line with an error."""

    path: Path
    line: str
    changed: str


def find_mutants() -> Iterator[Mutant]:
    """The kept errors in lines that the package has in one place."""
    places: dict[str, list[Path]] = {}
    for path in sorted((ROOT / "chancecorr").rglob("*.py")):
        for line in path.read_text(encoding="utf-8").splitlines():
            places.setdefault(line.strip(), []).append(path.relative_to(ROOT))
    for line, changed in json.loads(KEPT.read_text(encoding="utf-8")):
        if len(places.get(line, ())) == 1:
            yield Mutant(places[line][0], line, changed)


def is_found(mutant: Mutant, copy: Path) -> bool:
    """Whether a test of the room fails in a copy of the repository that has the error."""
    room = mutant.path.parts[1]
    tests = [
        f"tests/{name}"
        for name in (room, "chance", "correction", "exact", "golden")
        if (copy / "tests" / name).is_dir()
    ]
    file, text = copy / mutant.path, (ROOT / mutant.path).read_text(encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(copy)}
    if "kernels" in mutant.path.parts:  # all of them would be compiled anew
        environment["NUMBA_DISABLE_JIT"] = "1"
    file.write_text(text.replace(mutant.line, mutant.changed, 1), encoding="utf-8")
    command = [sys.executable, *PYTEST, *dict.fromkeys(tests)]
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, timeout=MAX_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return True
    finally:
        file.write_text(text, encoding="utf-8")
    return done.returncode != 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Try a sample of the errors; returns 1 if one was not found."""
    parser = argparse.ArgumentParser(description="Whether the tests find small errors.")
    parser.add_argument("--sample", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    mutants = list(find_mutants())
    sample = random.Random(options.seed).sample(mutants, min(options.sample, len(mutants)))
    survivors = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__", "_build", "build"))
        for mutant in sample:
            if not is_found(mutant, copy):
                survivors += 1
                print(f"{mutant.path}: {mutant.line}  ->  {mutant.changed}", flush=True)
    print(f"{len(sample) - survivors} of {len(sample)} found")
    return int(survivors > 0)


if __name__ == "__main__":
    sys.exit(main())
