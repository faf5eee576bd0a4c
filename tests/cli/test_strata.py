"""`chancecorr adjust --strata`."""

import json

import numpy as np

import chancecorr as cc
from chancecorr.cli.commands import run


def test_strata_are_a_column(tmp_path, capsys):
    rng = np.random.default_rng(0)
    batch = rng.integers(0, 3, 60)
    truth, found = ((batch + rng.integers(0, 2, 60)) % 3 for _ in range(2))
    rows = [f"{a},{b},{c}" for a, b, c in zip(truth, found, batch, strict=True)]
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(["truth,found,batch", *rows]))
    call = ["adjust", "truth", "found", "--data", str(path), "--index", "rand", "--seed", "1", "--json"]
    assert run([*call, "--strata", "batch"]) == 0
    score = json.loads(capsys.readouterr().out)["scores"][0]
    expected = cc.adjust(truth, found, strata=batch, rng=1)
    assert score["adjusted"] == expected.adjusted
    assert score["p_value"] == expected.p_value


def test_one_line_for_bad_strata(tmp_path, capsys):
    path = tmp_path / "labels.csv"
    path.write_text("a,b,c\n0,0,0\n1,1,1\n1,0,2\n")
    assert run(["adjust", "a", "b", "--data", str(path), "--strata", "c"]) == 2
    error = capsys.readouterr().err
    assert "`--strata` must have two objects somewhere" in error
    assert error.count("\n") == 1
