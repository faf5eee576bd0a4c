"""Command lines at random: commands, options, and files with names that are hostile."""

import itertools
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from experiments.checks.fuzzing.files import folder
from experiments.checks.fuzzing.printed import run_in_process
from experiments.checks.fuzzing.tables import any_index
from experiments.checks.fuzzing.trial import Trial

NAMES = (
    "plain", "=1+1", "+a", "-a", "@SUM(A1)", "\x1b[31mred\x1b[0m", "\x07", "\u202egnp", "<b>&", "'q'",
    "a,b", "a\nb", "\ta",
    "\ra", "a\x9b2J", "\u2066x", "\U000e0041", "é", "日本", " ", "x" * 300, "\ufeffa", "\udcff", "＝1",
)  # fmt: skip
WORDS = (
    "", "0", "1", "-1", "0.5", "nan", "inf", "1e400", "a", "rand", "rand,jaccard", "mean", "exact", "none",
    "drop", "\x00",
    "\x1b[2J", "\udcff", "9" * 30, "3,4", "3,4,", "-", "--", "1_0", "٣", "true", "f_beta(0.5)", "f_beta(",
    "tversky(0,0)",
    "\u202e", "a\nb", "5,5,5", "4,6,5", "1e3", "2", "3037000499", "3037000500", "NA,", "utf-8", "tab",
    "=1",
)  # fmt: skip
VALUED = (
    "--data", "--missing", "--noise", "--noise-label", "--index",
    "--best",
    "--alternative", "--confidence", "--correction", "--interval", "--rows", "--columns",
    "--family",
    "--quantiles", "--method", "--model", "--n-tables", "--precision", "--seed", "--jobs", "--reference",
    "--nonsense",
)  # fmt: skip
FLAGS = (
    "--no-header",
    "--p-values",
    "--json",
    "--csv",
    "-h",
    "--version",
    "-x",
    "--jsn",
)
RIGHT = {
    "--missing": ["raise", "drop"],
    "--noise": ["keep", "drop", "singletons"],
    "--method": ["auto", "search", "analytic", "exact", "monte-carlo"],
    "--model": ["permutation", "fixed-k", "all-partitions", "one-sided-fixed-k"],
    "--alternative": ["greater", "less", "two-sided"],
    "--correction": ["holm", "fdr_bh", "none"],
    "--interval": ["jackknife", "none"],
    "--best": ["mean", "1"],
    "--family": ["pair_counting", "information", "set_matching"],
    "--n-tables": ["1", "20", "50"],
    "--precision": ["0.5", "0.1"],
    "--seed": ["0", "1"],
    "--jobs": ["1"],
    "--rows": ["5,5,5", "3,4", "0,3,4", "1000,20"],
    "--columns": ["4,6,5", "3,4", "7", "1020"],
    "--quantiles": ["0.5", "0,1"],
    "--confidence": ["0.9", "0.5"],
    "--reference": list(NAMES),
    "--noise-label": ["-1", "a"],
}
OF_COMMAND = {
    "adjust": (
        "--missing",
        "--noise",
        "--noise-label",
        "--index",
        "--best",
        "--alternative",
        "--method",
        "--model",
    ),
    "compare": (
        "--missing",
        "--noise",
        "--index",
        "--confidence",
        "--correction",
        "--interval",
        "--method",
    ),
    "pairwise": ("--missing", "--noise", "--index", "--best", "--method", "--seed"),
    "report": ("--missing", "--noise", "--index", "--correction", "--interval", "--reference"),
    "null": ("--index", "--quantiles", "--method", "--model", "--precision", "--seed"),
    "indices": ("--family",),
}


def attempt(rng: np.random.Generator, trial: Trial) -> None:
    """One command line, mostly near to a right one."""
    command = str(_one(rng, ["adjust", "adjust", "compare", "pairwise", "null", "indices", "indices", "nul"]))
    if rng.random() < 0.04:
        command = "report"
    arguments = [command, *_places(rng, command)]
    for option in OF_COMMAND.get(command, ()):
        if rng.random() < 0.2:
            words = [any_index(rng)] if option == "--index" else RIGHT[option]
            arguments += [option, str(_one(rng, words))]
    for _ in range(int(_one(rng, [0, 0, 1, 2]))):
        if rng.random() < 0.3:
            arguments.append(str(_one(rng, FLAGS)))
        else:
            option = str(_one(rng, VALUED))
            arguments += [option, str(_one(rng, WORDS))]
    if command in ("adjust", "compare", "pairwise", "null", "report") and rng.random() < 0.9:
        arguments += ["--n-tables", str(_one(rng, ["1", "20", "50"]))]
    if command in ("adjust", "compare", "pairwise", "indices", "null"):
        arguments += _one(rng, [[], ["--json"], ["--csv"]])
    if command == "report":
        arguments += [
            "-o",
            str(_one(rng, ["-", str(folder() / "page.html"), str(folder() / "no" / "page.html")])),
        ]
    if rng.random() < 0.05:
        rng.shuffle(arguments)
    if _is_long(arguments):
        return
    run_in_process(trial, arguments)


def _is_long(arguments: list[str]) -> bool:
    """Whether a command line asks for work that takes minutes, as it may."""
    pairs = set(itertools.pairwise(arguments))
    huge = {"9" * 30, "3037000499", "3037000500"}
    return any(("--n-tables", each) in pairs or ("--jobs", each) in pairs for each in huge)


def _places(rng: np.random.Generator, command: str) -> list[str]:
    """Files and columns that a command is given, some of them not there."""
    if command == "null":
        sizes = ["--rows", str(_one(rng, RIGHT["--rows"])), "--columns", str(_one(rng, RIGHT["--columns"]))]
        return sizes if rng.random() < 0.9 else sizes[:2]
    if command == "indices":
        pattern = _one(
            rng, [any_index(rng)[:5], "", str(_one(rng, NAMES)), str(_one(rng, WORDS)), any_index(rng)]
        )
        return [pattern] if rng.random() < 0.8 else []
    names = _files()
    number = {"adjust": 2, "pairwise": int(rng.integers(0, 4))}.get(command, int(rng.integers(1, 4)))
    if rng.random() < 0.5:
        data = str(names[0])
        chosen = [NAMES[int(k)] for k in rng.permutation(len(NAMES))[:number]]
        return ["--data", data, *chosen]
    if rng.random() < 0.1:
        return [str(_one(rng, WORDS)) for _ in range(number)]
    if rng.random() < 0.1:
        return ["-:t", "-:p"][:number]
    return [str(_one(rng, names[1:])) for _ in range(number)]


@cache
def _files() -> list[Path]:
    """A file with a column of each name, and files of one column with such names, made once a process."""
    rng = np.random.default_rng(0)
    made = folder()
    everything = made / "all.csv"
    quoted = [f'"{name}"'.encode("utf-8", "surrogatepass") for name in NAMES if "\udcff" not in name]
    rows = [b",".join(str(int(x)).encode() for x in rng.integers(0, 3, size=len(quoted))) for _ in range(12)]
    everything.write_bytes(b"\n".join([b",".join(quoted), *rows]) + b"\n")
    found = [everything]
    for k, name in enumerate(NAMES):
        if len(name) > 200:
            continue
        path = made / f"{name}.csv".replace("/", "")
        labels = "".join(f"{x}\n" for x in rng.integers(0, 3, size=12).tolist())
        path.write_text(f"column{k}\n{labels}", encoding="utf-8")
        found.append(path)
    return found


def _one(rng: np.random.Generator, among: Any) -> Any:
    return among[int(rng.integers(len(among)))]
