"""The data sets: complete, as documented, and equal to scikit-learn's copies."""

import re

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from experiments.common import data
from experiments.common.data import FOLDER, SIMULATED, list_datasets, load_dataset

# Objects, variables and classes as the repository and the papers of the reference column print them.
PUBLISHED = {
    "aggregation": (788, 2, 7), "australian": (690, 14, 2), "bcw-diagnostic": (569, 30, 2),
    "bcw-original": (699, 9, 2), "birch2": (100_000, 2, 100), "compound": (399, 2, 6),
    "german": (1000, 20, 2), "glass": (214, 9, 6), "heart": (270, 13, 2), "iris": (150, 4, 3),
    "lenses": (24, 4, 3), "liver": (345, 6, 2), "s1": (5000, 2, 15), "s2": (5000, 2, 15),
    "s3": (5000, 2, 15), "s4": (5000, 2, 15), "spect": (267, 22, 2), "thyroid": (215, 5, 3),
    "unbalance": (6500, 2, 8), "vehicle": (846, 18, 4), "wine": (178, 13, 3),
}  # fmt: skip
# Class sizes in the documentation of the repository, and in section 4 of Rezaei & Fränti (2016).
CLASS_SIZES = {
    "glass": [9, 13, 17, 29, 70, 76],
    "lenses": [4, 5, 15],
    "spect": [55, 212],
    "thyroid": [30, 35, 150],
    "unbalance": [100] * 5 + [2000] * 3,
}


def test_every_file_has_a_name_and_every_name_a_file():
    files = {path.name.partition(".")[0] for path in FOLDER.glob("*/*")}
    left_out = set() if (FOLDER / "sipu").exists() else set(SIMULATED)
    assert sorted(files | left_out) == list_datasets() == sorted(PUBLISHED)


@pytest.mark.parametrize("name", PUBLISHED)
def test_sizes_are_the_published_ones_and_the_table_in_the_readme_holds_them(name):
    found = load_dataset(name)
    n, d, classes = PUBLISHED[name]
    assert (found.name, found.X.shape, found.labels.shape) == (name, (n, d), (n,))
    assert np.unique(found.labels).size == classes
    assert np.isfinite(found.X).all()
    assert repr(found) == f"Dataset({name!r}: {n} objects, {d} variables, {classes} classes)"
    reference = (data.MEASURED | data.SIMULATED)[name]
    assert found.source.startswith(reference)
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert f"\n| {name} | {n} | {d} | {classes} | {reference} |\n" in readme


@pytest.mark.parametrize("name", CLASS_SIZES)
def test_class_sizes_are_the_published_ones(name):
    assert sorted(np.unique(load_dataset(name).labels, return_counts=True)[1]) == CLASS_SIZES[name]


PEERS = {"iris": load_iris, "wine": load_wine, "bcw-diagnostic": load_breast_cancer}


@pytest.mark.parametrize(("name", "peer"), PEERS.items())
def test_equal_to_the_copy_in_scikit_learn(name, peer):
    found, bunch = load_dataset(name), peer()
    assert (bunch.data == found.X).all()
    assert len(set(zip(found.labels.tolist(), bunch.target.tolist(), strict=True))) == bunch.target.max() + 1
    if name == "iris":
        assert (found.labels == bunch.target_names[bunch.target]).all()


@pytest.mark.parametrize(("name", "file"), [("wine", "uci/wine.csv"), ("s1", "sipu/s1.csv.gz")])
def test_a_missing_file_is_named(monkeypatch, tmp_path, name, file):
    monkeypatch.setattr(data, "FOLDER", tmp_path / "experiments" / "data")
    message = f"got '{name}', but experiments/data/{file} is missing. Restore it from the repository."
    with pytest.raises(FileNotFoundError, match=f"^`name` must be .*{re.escape(message)}$"):
        load_dataset(name)
