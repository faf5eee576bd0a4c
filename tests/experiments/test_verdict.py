"""Printed numbers, their verdicts, and the tables and pictures that show them."""

import math
from collections import Counter

import numpy as np
import pytest

from experiments.common import report
from experiments.common.printed import Printed
from experiments.common.protocol import claim, fact
from experiments.common.verdict import LEVEL, LEVEL_OF_ONE, Resamples, judge, judge_one, statistic_of

SIZE = 30


def printed(text, **more):
    return Printed.read(text, table="4", row="rand", column="poor", **more)


def test_a_printed_number_keeps_its_digits():
    assert printed("0.250").text == "0.250"
    units = [printed(text).half_unit for text in ("0.250", "17", "0.00000")]
    assert units == [0.0005, 0.5, pytest.approx(5e-6)]
    unreadable = printed("", remark="unreadable")
    assert (unreadable.text, math.isnan(unreadable.value)) == ("?", True)


def test_the_law_has_the_spread_of_a_small_study():
    """The mean of 30 normal numbers has the standard deviation 1 / sqrt(30); 1,000 at hand add 1.5 %."""
    rng = np.random.default_rng(1)
    values = rng.normal(size=1_000)
    law = Resamples.draw(1_000, SIZE, rng).law(values, "mean")
    assert law.mean() == pytest.approx(values.mean(), abs=0.01)
    assert law.std() == pytest.approx(math.sqrt(values.var() * (1 / SIZE + 1 / 1_000)), rel=0.03)


def test_true_numbers_agree_as_often_as_the_level_says():
    """Printed means of 30 from the same law: about LEVEL of them differ; a far one does."""
    rng = np.random.default_rng(2)
    values = rng.exponential(size=1_000)
    resamples = Resamples.draw(1_000, SIZE, rng)
    for statistic in ("mean", "cv"):
        law = resamples.law(values, statistic)
        theirs = statistic_of(rng.exponential(size=(2_000, SIZE)), statistic)
        words = [judge(printed(f"{value:.4f}"), 1.0, law).word for value in theirs]
        # Binomial with 2,000 x 0.0027 = 5.4; the tail of a bootstrap from 1,000 is not exact.
        assert words.count("differs") <= 20, statistic
        far = law.mean() + 5.0 * law.std()
        assert judge(printed(f"{far:.4f}"), 1.0, law).word == "differs"


def test_p_and_z_by_hand():
    law = np.arange(1.0, 1_000.0)
    verdict = judge(printed("990.0"), 500.0, law)
    # 10 of 999 draws are at least 989.95.
    assert verdict.p == pytest.approx(2 * 11 / 1_000)
    assert verdict.z == pytest.approx((490.0 - 0.05) / law.std())
    assert verdict.word == "agrees"
    assert judge(printed("1010.0"), 500.0, law).p == pytest.approx(2 / 1_000)
    assert judge(printed("1010.0"), 500.0, law).word == "differs"
    assert verdict.low == pytest.approx(np.quantile(law, 0.025))
    assert LEVEL > 0.002


def test_one_clustering_is_a_draw_of_ours_and_more_of_ours_reject_more():
    """The level holds for true numbers; the same far number is undecided, then rejected, as ours grow."""
    rng = np.random.default_rng(4)
    words = []
    for _ in range(1_000):
        values = rng.normal(size=21)
        words.append(judge_one(printed(f"{values[0]:.6f}"), values[1:]).word)
    # Binomial: 1,000 x 0.05 with a standard deviation of 7.
    assert 1_000 * LEVEL_OF_ONE - 32 < words.count("differs") < 1_000 * LEVEL_OF_ONE + 32
    few, many = (np.tile([3.0, 4.0], m) for m in (10, 100))
    assert judge_one(printed("9"), few).word == "undecided"  # p of 2 / 21 at the least
    assert judge_one(printed("9"), many).word == "differs"
    assert judge_one(printed("4"), few).word == "undecided"
    assert judge_one(printed("4"), many).word == "agrees"
    assert judge_one(printed("4"), np.full(3, 4.0)).word == "agrees"


@pytest.fixture
def verdicts():
    law = np.random.default_rng(1).normal(0.5, 0.1, size=1_000)
    return [
        judge(printed("0.50"), 0.5, law),
        judge(printed("0.99"), 0.5, law),
        judge(printed("0.05", remark="misprint", arithmetic="0.5 / 1 = 0.5."), 0.5, law),
        judge(printed("", remark="unreadable"), 0.5, law),
    ]


def test_a_cell_shows_ours_the_interval_and_the_print(verdicts):
    shown = [report.beside(verdict) for verdict in verdicts]
    low, high = f"{verdicts[0].low:.2f}", f"{verdicts[0].high:.2f}"
    assert shown[:2] == [f"0.50 [{low}, {high}] / 0.50", f"**0.50 [{low}, {high}] / 0.99**"]
    assert shown[2].endswith("/ 0.05 (misprint)")
    assert shown[3].endswith("/ ? (not reachable)")


def test_the_table_of_studies_is_what_their_summaries_say(verdicts, tmp_path):
    from experiments.common import summary

    folder = tmp_path / "experiments" / "some_study" / "results"
    summary.write_summary(
        folder, title="Some (2020)", verdicts={"table": verdicts}, claims=[claim("so", fact(True, "1"))],
        answer=["It is so."],
    )  # fmt: skip
    page = tmp_path / summary.PAGE
    page.parent.mkdir(parents=True)
    page.write_text(f"before\n\n{summary.BEGIN}\nold\n{summary.END}\n\nafter\n")
    summary.update_page(["some_study", "another"], tmp_path)
    lines = page.read_text().splitlines()
    assert (lines[0], lines[-1]) == ("before", "after")
    assert lines[5] == (
        "| {doc}`Some (2020) <generated/some_study/report>` | table: 1 agree, 1 differ, 1 misprint,"
        " 1 not reachable | 1 agree | It is so. |"
    )
    before = page.read_text()
    summary.update_page(["some_study", "another"], tmp_path)
    assert page.read_text() == before


def test_the_page_of_studies_shows_the_committed_results():
    from experiments.__main__ import STUDIES
    from experiments.common.kept import ROOT
    from experiments.common.summary import PAGE, summary, table_of_studies

    assert "\n".join(table_of_studies(STUDIES)) in (ROOT / PAGE).read_text(encoding="utf-8")
    words = sum(
        (Counter(group) for study in STUDIES for group in summary(study)["numbers"].values()), Counter()
    )
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"{words['agrees']:,} of {words.total():,} agree" in readme
