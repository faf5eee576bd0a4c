"""`chancecorr compare --by`."""

import json

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.cli.commands import run


@pytest.fixture
def labels(tmp_path):
    rng = np.random.default_rng(0)
    site, truth = np.repeat(["north", "south", "west"], 40), rng.integers(0, 3, 120)
    good, poor = (np.where(rng.random(120) < share, truth, rng.integers(0, 3, 120)) for share in (0.9, 0.5))
    rows = [",".join(map(str, row)) for row in zip(truth, good, poor, site, strict=True)]
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(["truth,good,poor,site", *rows]))
    sets = {
        name: (truth[site == name], {"good": good[site == name], "poor": poor[site == name]})
        for name in ("north", "south", "west")
    }
    return str(path), sets


@pytest.mark.parametrize("named", [(), ("good", "poor")])
def test_each_value_is_a_data_set(labels, capsys, named):
    path, sets = labels
    call = ["compare", "truth", *named, "--data", path, "--by", "site", "--seed", "1", "--json"]
    assert run(call) == 0
    found = json.loads(capsys.readouterr().out)
    wanted = cc.comparison.compare_datasets(sets, rng=1)
    assert found["means"][0]["mean"] == pytest.approx(wanted["good"].mean)
    assert found["scores"]["south"]["poor"] == pytest.approx(wanted.scores[1, 1])
    assert "3 data sets only" in found["notes"][0]


def test_for_people_and_spreadsheets(labels, capsys):
    path, sets = labels
    assert run(["compare", "truth", "--data", path, "--by", "site"]) == 0
    assert capsys.readouterr().out.splitlines()[2].split()[0] == "good"
    assert run(["compare", "truth", "--data", path, "--by", "site", "--csv"]) == 0
    header, first, *_ = capsys.readouterr().out.splitlines()
    assert header == "dataset,good,poor"
    assert first.startswith("north,")
    assert sets


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--groups", "site"], "`--groups` must be left out"),
        (["--index", "rand,jaccard"], "`--index` must be one index"),
    ],
)
def test_bad_input(labels, capsys, more, message):
    assert run(["compare", "truth", "--data", labels[0], "--by", "site", *more]) == 2
    assert message in capsys.readouterr().err


def test_the_report_has_the_means_of_the_comparison(labels, tmp_path, capsys):
    path, sets = labels
    page = tmp_path / "page.html"
    call = ["report", "truth", "--data", path, "--by", "site", "-o", str(page), "--seed", "1"]
    assert run(call) == 0
    assert capsys.readouterr().out.endswith("2 candidates, rand\n")
    wanted = cc.comparison.compare_datasets(sets, rng=1)
    html = page.read_text(encoding="utf-8")
    assert "<h1>good agrees best with truth</h1>" in html
    for each in wanted.ranked():
        assert f'<td class="right">{each.mean:.3f}</td>' in html
    for name, row in zip(sets, wanted.scores, strict=True):
        assert f'<th scope="row">{name}</th><td class="right">{row[0]:.3f}</td>' in html
    assert "3 data sets only" in html
