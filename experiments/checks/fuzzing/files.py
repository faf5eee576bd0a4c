"""Files of labels with random damage, read by the command line."""

import csv
import io
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import feather, parquet

from experiments.checks.fuzzing.printed import run_in_process
from experiments.checks.fuzzing.trial import Trial

CELLS = (
    "0", "1", "2", "-1", "a", "b", "", " ", "NA", "nan", "007", "1.0", "1e5", "9" * 30, "é", "\U0001f600",
    '"', "''",
    ",", "\t", "\n", "\r", "\r\n", "\x00", "\x1b[31m", "\u202e", "\ufeff", "=1+1", "@a", "x" * 200, "\x1c",
    "\x85", "\u2028",
)  # fmt: skip
ENCODINGS = ("utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-32", "cp1252", "utf-7", "shift_jis", "cp037")
ENDINGS = (
    ".csv",
    ".csv",
    ".csv",
    ".tsv",
    ".txt",
    ".tab",
    ".parquet",
    ".feather",
    ".arrow",
    ".pq",
    "",
)
DAMAGE = (
    b"\x00",
    b"\xff",
    b'"',
    b"\n",
    b"\r",
    b",",
    b"\x1f\x8b",
    b"\x1b",
    b"\xe2\x80",
    b"=",
    b"PAR1",
    b"\xef\xbb\xbf",
)


def attempt(rng: np.random.Generator, trial: Trial) -> None:
    """A file, as its text or bytes and an ending that may be that of another kind, through a command."""
    ending = str(_one(rng, ENDINGS))
    content = _content(rng, ending)
    for _ in range(int(_one(rng, [0, 0, 1, 1, 3]))):
        content = _damaged(rng, content)
    path = folder() / f"file{ending}"
    path.write_bytes(content)
    trial.tried.append(f"{ending or 'no ending'} of {len(content)} bytes: {content[:200]!r}")
    command = str(_one(rng, ["adjust", "adjust", "compare", "pairwise"]))
    places = ["t", "p"] if command != "pairwise" or rng.random() < 0.5 else []
    arguments = [command, *places, "--data", str(path)]
    if rng.random() < 0.2:
        arguments = [command, f"{path}:t", f"{path}:p"]
    if rng.random() < 0.2:
        arguments = [command, str(path), f"{path}:{_one(rng, CELLS)}".replace("\x00", "")]
    if rng.random() < 0.2:
        arguments = [command, "1", "2", "--data", str(path), "--no-header"]
    if rng.random() < 0.6:
        arguments += ["--missing", "drop"]
    if rng.random() < 0.3:
        arguments += ["--noise", str(_one(rng, ["keep", "drop", "singletons"]))]
    arguments += ["--index", "rand", *_one(rng, [[], ["--json"], ["--csv"]])]
    run_in_process(trial, arguments)


@cache
def folder() -> Path:
    """Folder of this process for the files that it writes, one over the other."""
    path = Path(tempfile.gettempdir()) / f"chancecorr-fuzz-{os.getpid()}"
    path.mkdir(exist_ok=True)
    return path


def _content(rng: np.random.Generator, ending: str) -> bytes:
    rows = int(_one(rng, [0, 1, 2, 5, 20]))
    header = (
        ["t", "p"] if rng.random() < 0.8 else [str(_one(rng, CELLS)) for _ in range(int(rng.integers(0, 4)))]
    )
    if rng.random() < 0.1:
        header += [f"c{k}" for k in range(int(_one(rng, [1, 50, 300])))]
    pool = CELLS[:3] if rng.random() < 0.5 else CELLS
    table = [[str(_one(rng, pool)) for _ in header] for _ in range(rows)]
    if ending in (".parquet", ".pq", ".feather", ".arrow") and rng.random() < 0.9:
        return _arrow(rng, header, table, ending)
    text = io.StringIO()
    delimiter = (
        "\t" if "t" in ending[1:2] and rng.random() < 0.8 else str(_one(rng, [",", ",", ",", ";", "\t"]))
    )
    if rng.random() < 0.7:
        csv.writer(text, delimiter=delimiter, lineterminator=str(_one(rng, ["\n", "\r\n", "\r"]))).writerows(
            [header, *table]
        )
    else:
        text.write("\n".join(delimiter.join(row) for row in [header, *table]))
    if rng.random() < 0.02:
        text.write("x" * int(_one(rng, [70_000, 200_000])))
    encoded = text.getvalue().encode(str(_one(rng, ["utf-8"] * 8 + [*ENCODINGS])), errors="replace")
    return encoded


def _arrow(rng: np.random.Generator, header: list[str], table: list[list[str]], ending: str) -> bytes:
    makers: list[Callable[[list[str]], Any]] = [
        pyarrow.array,
        lambda cells: pyarrow.array([len(cell) for cell in cells]),
        lambda cells: pyarrow.array([len(cell) / 2 or None for cell in cells], pyarrow.float64()),
        lambda cells: pyarrow.array([[cell] for cell in cells], pyarrow.list_(pyarrow.string())),
        lambda cells: pyarrow.array(cells, pyarrow.string()).dictionary_encode(),
        lambda cells: pyarrow.array([None] * len(cells)),
        lambda cells: pyarrow.array([cell.encode() for cell in cells], pyarrow.binary()),
        lambda cells: pyarrow.array([len(cell) for cell in cells], pyarrow.timestamp("s")),
        lambda cells: pyarrow.array(
            [{"a": cell} for cell in cells], pyarrow.struct([("a", pyarrow.string())])
        ),
    ]
    columns = [
        _one(rng, makers[:3] if rng.random() < 0.6 else makers)([row[k] for row in table])
        for k in range(len(header))
    ]
    frame = pyarrow.Table.from_arrays(columns, names=header)
    sink = io.BytesIO()
    if ending in (".parquet", ".pq"):
        parquet.write_table(frame, sink)
    else:
        feather.write_feather(frame, sink, compression="uncompressed")
    return sink.getvalue()


def _damaged(rng: np.random.Generator, content: bytes) -> bytes:
    k = int(rng.integers(0, len(content) + 1))
    length = int(_one(rng, [1, 2, 8, 100]))
    piece = bytes(_one(rng, DAMAGE)) if rng.random() < 0.7 else rng.bytes(length)
    return [
        content[:k] + piece + content[k:],
        content[:k] + piece + content[k + len(piece) :],
        content[:k],
        content[:k] + content[k + length :],
        content[:k] + content[k : k + length] * 20 + content[k:],
    ][int(rng.integers(5))]


def _one(rng: np.random.Generator, among: Any) -> Any:
    return among[int(rng.integers(len(among)))]
