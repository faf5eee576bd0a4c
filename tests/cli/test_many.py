"""Commands on many clusterings, on data sets and within strata: what they read and print, how they fail."""

import csv
import io
import json

import numpy as np
import pytest

import chancecorr as cc
from tests.cli.test_commands import fail, succeed, write

N = 60
COLUMNS = {
    "species": [f"s{k // 20}" for k in range(N)],
    "kmeans": [k // 20 if k % 5 else 0 for k in range(N)],
    "ward": [(k // 15) % 3 for k in range(N)],
    "dbscan": [-1 if k % 7 == 0 else k // 30 for k in range(N)],
}
CANDIDATES = {name: labels for name, labels in COLUMNS.items() if name != "species"}
SEED = ["--seed", "5"]


@pytest.fixture
def files(folder):
    """A folder with the labels in one file and in one each."""
    write("labels.csv", [[*COLUMNS], *zip(*COLUMNS.values(), strict=True)])
    for name, labels in COLUMNS.items():
        write(f"{name}.csv", [[name], *([label] for label in labels)])
    return folder


def as_json(value):
    return json.loads(json.dumps(value).replace("NaN", "null"))


class TestCompare:
    def expected(self, **options):
        return cc.compare(COLUMNS["species"], CANDIDATES, rng=5, **options)

    def found(self, capsys, *arguments):
        text = succeed(capsys, "compare", *arguments, "--json", *SEED)
        return json.loads(text, parse_constant=pytest.fail)

    def test_groups_are_a_column_and_no_candidate(self, files, capsys):
        groups = [str(k % 3) for k in range(len(COLUMNS["species"]))]
        columns = [COLUMNS["species"], CANDIDATES["ward"], groups]
        write("grouped.csv", [["species", "ward", "donor"], *zip(*columns, strict=True)])
        found = self.found(capsys, "species", "--data", "grouped.csv", "--groups", "donor")
        candidates = {"ward": CANDIDATES["ward"]}
        expected = as_json(cc.compare(COLUMNS["species"], candidates, rng=5, groups=groups).to_dict())
        assert {name: found[name] for name in expected} == expected

    def test_strata_are_a_column_and_no_candidate(self, files, capsys):
        strata = [str(k % 3) for k in range(len(COLUMNS["species"]))]
        columns = [COLUMNS["species"], CANDIDATES["ward"], strata]
        write("strata.csv", [["species", "ward", "batch"], *zip(*columns, strict=True)])
        words = ["species", "--data", "strata.csv", "--strata", "batch"]
        found = self.found(capsys, *words, "--n-tables", "100")
        candidates = {"ward": CANDIDATES["ward"]}
        expected = cc.compare(COLUMNS["species"], candidates, rng=5, strata=strata, n_tables=100)
        assert {name: found[name] for name in expected.to_dict()} == as_json(expected.to_dict())
        message = fail(capsys, "compare", *words, "--by", "ward")
        assert "`--strata` must be left out with `--by`" in message

    @pytest.mark.slow
    def test_options_arrive(self, files, capsys):
        options = "--index rand,jaccard --index purity --confidence 0.9 --correction none --noise singletons"
        options += " --best 0.9 --alternative less --method monte-carlo --n-tables 300"
        options = (options + " --model fixed-k --interval none").split()
        found = self.found(capsys, "species", "--data", "labels.csv", *options)
        expected = self.expected(
            index=["rand", "jaccard", "purity"], confidence=0.9, correction=None, noise="singletons",
            best=0.9, alternative="less", method="monte-carlo", n_tables=300,
            model="fixed-k", interval=None,
        ).to_dict()  # fmt: skip
        assert found == {"n_tables": 300, "seed": 5} | as_json(expected)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["species", "kmens", "--data", "labels.csv"], "Did you mean 'kmeans'?"),
            (["species.csv"], "`CANDIDATES` must name at least one clustering, or be left out with --data."),
            (["species", "ward", "ward", "--data", "labels.csv"], "different clusterings; got 'ward' twice."),
            (["species.csv", "nowhere.csv"], "`CANDIDATES` must be an existing FILE"),
            (["nowhere.csv", "ward.csv"], "`TRUE` must be an existing FILE"),
            (["species.csv", "short.csv"], "`short.csv` must have the same length as `TRUE`; got 2 and 60."),
            (["species", "--data", "labels.csv", "--correction", "fdr"], "Did you mean 'fdr_bh'?"),
            (
                ["species", "--data", "labels.csv", "--correction", "x"],
                "must be one of 'holm', 'fdr_bh', 'none'; got",
            ),
            (
                ["species", "--data", "labels.csv", "--noise", "-1"],
                "must be one of 'keep', 'drop', 'singletons'; got",
            ),
            (["species", "--data", "labels.csv", "--by", "ward", "--groups", "ward"], "`--groups` must be"),
            (["species", "--data", "labels.csv", "--by", "ward", "--index", "ri,dice"], "`--index` must be"),
            (["species", "--data", "species.csv"], "`CANDIDATES` must hold at least 1 clustering; got none."),
        ],
    )
    def test_bad_input_gets_a_line(self, files, capsys, arguments, message):
        write("short.csv", [["short"], [0], [1]])
        assert message in fail(capsys, "compare", *arguments)

    def test_missing_labels(self, files, capsys):
        write("gaps.csv", [["true", "a", "b"], ["x", 0, 0], ["x", "NA", 0], ["y", 1, ""], ["y", 1, 1]])
        assert "Pass --missing drop" in fail(capsys, "compare", "true", "--data", "gaps.csv")
        found = self.found(capsys, "true", "--data", "gaps.csv", "--missing", "drop")
        assert found["n"] == 4
        assert [each["n"] for each in found["scores"]] == [3, 3]
        text = "1 of 4 objects are left out: 1 without a label"
        assert found["notes"][0] == {"code": "left out", "text": text, "subject": "a"}


class TestPairwise:
    def test_options_arrive(self, files, capsys):
        options = ["--index", "jaccard", "--p-values", "--noise", "drop", "--method", "monte-carlo"]
        options += ["--n-tables", "200", "--best", "0.9", "--alternative", "two-sided"]
        found = json.loads(succeed(capsys, "pairwise", "--data", "labels.csv", *options, "--json", *SEED))
        expected = cc.pairwise(
            COLUMNS, index="jaccard", p_values=True, noise="drop", method="monte-carlo", n_tables=200,
            best=0.9, alternative="two-sided", rng=5,
        )  # fmt: skip
        assert found == {"seed": 5} | as_json(expected.to_dict())

    def test_pairs_as_csv(self, files, capsys):
        sources = ["kmeans.csv", "ward.csv", "dbscan.csv"]
        rows = list(csv.DictReader(io.StringIO(succeed(capsys, "pairwise", *sources, "--csv"))))
        pairs = [(row["reference"], row["candidate"]) for row in rows]
        assert pairs == [(sources[0], sources[1]), (sources[0], sources[2]), (sources[1], sources[2])]
        assert float(rows[2]["adjusted"]) == cc.adjusted_score(COLUMNS["ward"], COLUMNS["dbscan"])

    def test_a_matrix_for_people(self, files, capsys):
        lines = succeed(capsys, "pairwise", "--data", "labels.csv").splitlines()
        assert lines[0] == "rand, adjusted: 4 clusterings, n = 60, method auto"
        assert lines[1].split() == list(COLUMNS)
        expected = np.round(cc.pairwise(COLUMNS).adjusted, 3).tolist()
        assert [[float(cell) for cell in line.split()[1:]] for line in lines[2:6]] == expected
        assert lines[6] == f"nearest to the others: {cc.pairwise(COLUMNS).medoid}"

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["ward", "--data", "labels.csv"], "`CLUSTERINGS` must hold at least two clusterings; got 1."),
            (["ward.csv", "ward.csv"], "`CLUSTERINGS` must be different clusterings; got 'ward.csv' twice."),
            ([], "must name at least one clustering"),
        ],
    )
    def test_bad_input_gets_a_line(self, files, capsys, arguments, message):
        assert message in fail(capsys, "pairwise", *arguments)


@pytest.fixture
def sets():
    """Data sets in the column `site` of a file."""
    rng = np.random.default_rng(0)
    site, truth = np.repeat(["north", "south", "west"], 40), rng.integers(0, 3, 120)
    good, poor = (np.where(rng.random(120) < share, truth, rng.integers(0, 3, 120)) for share in (0.9, 0.5))
    write("sites.csv", [["truth", "good", "poor", "site"], *zip(truth, good, poor, site, strict=True)])
    return {
        name: (truth[site == name], {"good": good[site == name], "poor": poor[site == name]})
        for name in ("north", "south", "west")
    }


BY_SITE = ["compare", "truth", "--data", "sites.csv", "--by", "site"]


def test_each_value_is_a_data_set(sets, capsys):
    found = json.loads(succeed(capsys, *BY_SITE, "--seed", "1", "--json"))
    wanted = cc.comparison.compare_datasets(sets, rng=1)
    assert found["means"][0]["mean"] == pytest.approx(wanted["good"].mean)
    assert found["scores"]["south"]["poor"] == pytest.approx(wanted.scores[1, 1])
    assert "3 data sets only" in found["notes"][0]["text"]


@pytest.mark.usefixtures("sets")
def test_for_people_and_spreadsheets(capsys):
    assert succeed(capsys, *BY_SITE).splitlines()[2].split()[0] == "good"
    header, first, *_ = succeed(capsys, *BY_SITE, "--csv").splitlines()
    assert (header, first[:6]) == ("dataset,good,poor", "north,")


def test_strata_are_a_column(files, capsys):
    """There is no interval, which is null."""
    call = ["adjust", "kmeans", "ward", "--data", "labels.csv", "--index", "rand", "--strata", "species"]
    (score,) = json.loads(succeed(capsys, *call, "--json", *SEED))["scores"]
    expected = cc.adjust(COLUMNS["kmeans"], COLUMNS["ward"], strata=COLUMNS["species"], rng=5)
    assert (score["adjusted"], score["p_value"]) == (expected.adjusted, expected.p_value)
    assert (score["low"], score["high"], score["confidence"]) == (None, None, 0.95)
