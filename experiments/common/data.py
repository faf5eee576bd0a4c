"""The data sets of `experiments/data`, objects with known classes: what there is, and how to load one."""

import csv
import gzip
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from chancecorr.machine.arguments import check_choice

FOLDER = Path(__file__).resolve().parents[1] / "data"

UCI = "UCI Machine Learning Repository, CC BY 4.0"
BENCHMARK = "clustering basic benchmark, Fränti & Sieranoja (2018), doi:10.1007/s10489-018-1238-7"

MEASURED = {
    "australian": "Quinlan (1987), Statlog (Australian Credit Approval), doi:10.24432/C59012",
    "bcw-diagnostic": (
        "Wolberg, Mangasarian, Street & Street (1993), Breast Cancer Wisconsin (Diagnostic),"
        " doi:10.24432/C5DW2B"
    ),
    "bcw-original": "Wolberg (1990), Breast Cancer Wisconsin (Original), doi:10.24432/C5HP4Z",
    "german": "Hofmann (1994), Statlog (German Credit Data), doi:10.24432/C5NC77",
    "glass": "German (1987), Glass Identification, doi:10.24432/C5WW2P",
    "heart": "Statlog (Heart), doi:10.24432/C57303",
    "iris": "Fisher (1936), Iris, doi:10.24432/C56C76",
    "lenses": "Cendrowska (1987), Lenses, doi:10.24432/C5K88Z",
    "liver": "Liver Disorders (1990), doi:10.24432/C54G67",
    "spect": "Cios, Kurgan & Goodenday (2001), SPECT Heart, archive.ics.uci.edu/dataset/95",
    "thyroid": "Quinlan (1986), Thyroid Disease (new-thyroid), doi:10.24432/C5D010",
    "vehicle": ("Mowforth & Shepherd (1987), Statlog (Vehicle Silhouettes), archive.ics.uci.edu/dataset/149"),
    "wine": "Aeberhard & Forina (1992), Wine, doi:10.24432/C5PC7J",
}
"""References of the sets in `uci/`, by name."""

SIMULATED = {
    "aggregation": "Gionis, Mannila & Tsaparas (2007), doi:10.1145/1217299.1217303",
    "birch2": "Zhang, Ramakrishnan & Livny (1997), doi:10.1023/A:1009783824328",
    "compound": "Zahn (1971), doi:10.1109/T-C.1971.223083",
    "s1": "Fränti & Virmajoki (2006), doi:10.1016/j.patcog.2005.09.012",
    "s2": "Fränti & Virmajoki (2006), doi:10.1016/j.patcog.2005.09.012",
    "s3": "Fränti & Virmajoki (2006), doi:10.1016/j.patcog.2005.09.012",
    "s4": "Fränti & Virmajoki (2006), doi:10.1016/j.patcog.2005.09.012",
    "unbalance": "Rezaei & Fränti (2016), doi:10.1109/TKDE.2016.2551240",
}
"""References of the sets in `sipu/`, by name."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Dataset:
    """Objects described by numbers, and the class of each.

    Attributes
    ----------
    name : str
        As in `list_datasets`.
    X : numpy.ndarray of shape (n, d), float64
        A row an object, a column a variable; read-only.
    labels : numpy.ndarray of shape (n,), int64 or str
        Class of each object as its source writes it: int64 where every class is a whole number, else str;
        read-only.
    source : str
        Reference of the set, and the collection that it was taken from.
    """

    name: str
    X: npt.NDArray[np.float64]
    labels: npt.NDArray[np.int64] | npt.NDArray[np.str_]
    source: str

    def __repr__(self) -> str:
        """Name and sizes."""
        n, d = self.X.shape
        return f"Dataset({self.name!r}: {n} objects, {d} variables, {np.unique(self.labels).size} classes)"


def list_datasets() -> list[str]:
    """Names of the data sets, sorted."""
    return sorted([*MEASURED, *SIMULATED])


def load_dataset(name: str) -> Dataset:
    """One of the data sets, read from its file.

    Objects in the order of the file.
    """
    check_choice("name", name, list_datasets())
    if name in MEASURED:
        path, source = FOLDER / "uci" / f"{name}.csv", f"{MEASURED[name]}; {UCI}"
    else:
        path, source = FOLDER / "sipu" / f"{name}.csv.gz", f"{SIMULATED[name]}; {BENCHMARK}"
    rows = read_rows(name, path)
    X = np.array([row[:-1] for row in rows], dtype=np.float64)
    classes = [row[-1] for row in rows]
    labels: npt.NDArray[np.int64] | npt.NDArray[np.str_]
    if all(each.isdecimal() for each in classes):
        labels = np.array(classes, dtype=np.int64)
    else:
        labels = np.array(classes, dtype=np.str_)
    X.flags.writeable = labels.flags.writeable = False
    return Dataset(name=name, X=X, labels=labels, source=source)


def read_rows(name: str, path: Path) -> list[list[str]]:
    """Rows of a file of comma-separated values, compressed or not, without the line of column names."""
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8", newline="") as file:
            return list(csv.reader(file))[1:]
    except FileNotFoundError:
        place = path.relative_to(FOLDER.parents[1]).as_posix()
        raise FileNotFoundError(
            f"`name` must be a data set whose file is there; got {name!r}, but {place} is missing."
            " Restore it from the repository."
        ) from None
