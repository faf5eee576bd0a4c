"""The script that splits the catalogue into indices that are the same once corrected for chance."""

import math

import numpy as np
import pytest

import chancecorr as cc
from experiments.checks import equivalents

MARGINS = [cc.Margins([4, 4, 3], [5, 3, 3]), cc.Margins([3, 3], [4, 2]), cc.Margins([6, 1, 1], [3, 3, 2])]


def test_scores_are_those_of_adjust():
    entries = [cc.get_index(name) for name in ("rand", "jaccard", "nmi_sum", "purity", "koppen_2", "fossum")]
    seen = equivalents.adjusted_scores(entries, MARGINS[0], np.random.default_rng(1))
    assert len(seen.tables) == equivalents.COMPARED
    for column, table in zip(seen.scores.T[:5].tolist(), seen.tables, strict=False):
        scores = cc.adjust_table(table, index=entries)
        expected = [score.adjusted for score in scores.values()]
        assert column == pytest.approx(expected, rel=1e-12, abs=1e-14, nan_ok=True)


def test_dense_tables_have_exact_means_without_being_listed():
    entries = [cc.get_index(name) for name in ("rand", "jaccard", "nmi_sum", "nmi_joint", "purity")]
    margins = cc.Margins([20, 20, 15], [25, 20, 10])
    seen = equivalents.adjusted_scores(entries, margins, np.random.default_rng(1))
    found = seen.scores[:, 0].tolist()
    scores = cc.adjust_table(seen.tables[0], index=["rand", "jaccard", "nmi_sum"])
    expected = [score.adjusted for score in scores.values()]
    assert found[:3] == pytest.approx(expected, rel=1e-9)
    assert all(map(math.isnan, found[3:]))  # only from simulated tables


def test_classes_of_known_indices():
    """Rand and Mirkin's distance are one (Hubert & Arabie 1985); Jaccard and a curved Rand are not."""

    def curved(a, b, c, d):
        return (a + d + 1e-4 * a * a) / (a + b + c + d)

    entries = [cc.get_index(name) for name in ("rand", "jaccard", "mirkin", "mcnemar")]
    entries.append(cc.indices.Index(name="curved", function=curved, needs="pairs", best=1.0))
    seen = equivalents.all_scores(entries, MARGINS, seed=1)
    apart = equivalents.differences(seen.scores)
    assert equivalents.classes(seen.scores, apart) == [[0, 2], [1], [4]]
    assert apart[0][3] is None
    nearest = apart[0][1]
    rand, jaccard = seen.scores[:2, nearest.table]
    assert nearest.difference == pytest.approx(abs(rand - jaccard) / max(1.0, abs(rand), abs(jaccard)))


def test_agreement_that_is_not_mutual_is_an_error():
    """The second of these agrees with the two others where it is defined, and they do not with each other."""
    scores = np.array([[0.0, 0.5], [0.0, math.nan], [0.0, 0.7]])
    with pytest.raises(ValueError, match="agrees with some"):
        equivalents.classes(scores, equivalents.differences(scores))


@pytest.mark.heavy
def test_the_script_runs(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["equivalents", "--margins", "30"])
    equivalents.main()
    out = capsys.readouterr().out
    assert "never adjusted: " in out
    assert "21  adjusted_rand, arabie_boorman, " in out
    assert "these are the classes that the entries claim" in out
