"""Errata of the papers that are reproduced here, made from the data of their studies."""

import csv
import re
from collections.abc import Iterator, Mapping
from functools import partial

from experiments.amorim_cardoso_2014 import paper as amorim
from experiments.common.kept import ROOT
from experiments.common.mixtures import average_overlap, maximum_overlap
from experiments.errata.erratum import Erratum, Numbers, of_printed
from experiments.franti_rezaei_2016 import paper as franti
from experiments.rajasekhara_pujari_2010 import printed as rajasekhara
from experiments.rajasekhara_pujari_2010.report import errors_in_words
from experiments.rajasekhara_pujari_2010.tables import value_of_table_1
from experiments.zhang_wong_shen_2012 import paper as zhang
from experiments.zhang_wong_shen_2012.chance import equation_35, of_ensemble, second_line_of_equation_35
from experiments.zhang_wong_shen_2012.exact import affine_plane

STUDIES = "tests/experiments/"
HERE = STUDIES + "test_errata.py::"

AMORIM = "doi:10.5220/0004868301640170"
RAJASEKHARA = "ICVGIP 2010, Chennai"
ZHANG = "doi:10.1016/j.patcog.2011.11.017"
FRANTI = "doi:10.1007/978-3-319-49055-7_26"


def of_amorim() -> Iterator[Erratum]:
    """Misprints of Amorim & Cardoso (2014)."""
    for place, printed in amorim.PRINTED.items():
        if printed.remark == "misprint":
            yield of_printed(
                printed,
                partial(_coefficient_of_variation, place),
                version=AMORIM,
                test=STUDIES + "test_paper.py::test_misprint_of_a_coefficient_of_variation",
                digits=1,
                index=place.index,
            )
    for (design, separation, row), printed in amorim.OVERLAPS.items():
        if printed.remark == "misprint":
            overlap = average_overlap if row == "average" else maximum_overlap
            mixture = amorim.THREE_GROUPS[design, separation]
            yield of_printed(
                printed,
                partial(overlap, mixture),
                version=AMORIM,
                test=STUDIES + "test_paper.py::test_printed_overlaps_follow_from_the_printed_parameters",
                digits=3,
            )


def _coefficient_of_variation(place: amorim.Place) -> float:
    """That of the adjusted values, the expected value being the same for all data sets."""
    seen = amorim.AGREEMENT[place.clusterer][place.design][place.separation][place.index]
    chance = amorim.EXPECTATIONS[place.clusterer][place.design][place.separation][place.index].simulated
    return seen.observed * seen.observed_cv / (1 - chance) / seen.adjusted


def of_rajasekhara() -> Iterator[Erratum]:
    """Misprints of Rajasekhara & Pujari (2010): numbers of table 1, then sentences."""
    for (column, pair), printed in rajasekhara.TABLE_1.items():
        if printed.remark == "misprint":
            yield of_printed(
                printed,
                partial(value_of_table_1, column, pair),
                version=RAJASEKHARA,
                test=STUDIES + "test_irm_study.py::test_arithmetic_of_the_misprints",
                digits=5,
                index=rajasekhara.REGISTERED[column],
            )
    for word, sentence in errors_in_words().items():
        yield _sentence(word, sentence, RAJASEKHARA, "TestSentencesOfRajasekharaAndPujari")


def of_zhang() -> Iterator[Erratum]:
    """Misprints of Zhang, Wong & Shen (2012), and what the study refutes in its section 4.3."""
    for name, (row, column) in {"M2 (2, 1)": (1, 0), "M2 (2, 2)": (1, 1)}.items():
        yield of_printed(
            zhang.EXAMPLE[name],
            partial(_meant, row, column),
            version=ZHANG,
            test=STUDIES + "test_zhang_study.py::test_the_worked_example_and_its_misprint",
            place="",
        )
    claims = _claims_of_zhang()
    for name, (numbers, test) in {
        "eq. 7": (_equation_7, "test_zhang_study.py::test_pairwise_nmi_is_a_mean_over_pairs_and_a_sum"),
        "eq. 30": (_equation_30, "test_errata.py::test_equation_30_counts_each_pair_twice"),
        "eq. 35, second line": (_second_line, "test_zhang_study.py::test_eq_35_by_hand"),
        "lower bound": (
            _lower_bound,
            "test_zhang_study.py::test_lines_of_an_affine_plane_agree_by_chance_only",
        ),
        "a constant": (
            _no_constant,
            "test_zhang_study.py::test_the_limit_of_an_ensemble_goes_by_its_numbers_of_clusters",
        ),
    }.items():
        claim = claims[name]
        printed, right = _WORDS_OF_ZHANG[name]
        yield Erratum(
            where=f"section {claim['where']}, {name}",
            version=ZHANG,
            printed=f"{claim['claim']}: {printed}",
            arithmetic=claim["evidence"],
            right=right,
            test=STUDIES + test,
            status="run",
            numbers=numbers,
            digits=4,
        )


ORDER, DIRECTIONS = 7, 8
"""An affine plane of this order has this many directions."""

_WORDS_OF_ZHANG = {
    "eq. 7": ("ten equal partitions have {}", "the mean over i ≠ j, {}"),
    "eq. 30": ("the sum for M1 of section 4.3, which has one pair, is {}", "{} by eq. 14, half of it"),
    "eq. 35, second line": (
        "{} for K_max = 4 and L = 50, below 0",
        "{}, by the third line of the same equation",
    ),
    "lower bound": (
        f"{{}} for L = {DIRECTIONS} and K_max = {ORDER}",
        f"no lower bound: the lines of an affine plane, L = {DIRECTIONS} partitions of {ORDER**2} objects"
        f" into {ORDER} clusters each, have {{}}",
    ),
    "a constant": (
        "two partitions into 40 clusters tend to {}",
        "no constant for K_max = 40 and L = 2: one partition into 2 and one into 40 clusters tend to {}",
    ),
}


def _meant(row: int, column: int) -> float:
    """An entry of the second matrix of section 4.3 as its description has it."""
    return zhang.MATRIX_2_MEANT[row][column]


def _claims_of_zhang() -> Mapping[str, Mapping[str, str]]:
    """Rows of the study's claims that are misprints or refuted, by name."""
    path = ROOT / "experiments" / "zhang_wong_shen_2012" / "results" / "claims.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file) if row["verdict"] in ("misprint", "differs")}


def _equation_7() -> Numbers:
    """NMI of equal partitions is 1; a sum over the ordered pairs of ten, and a mean."""
    pairs = 10 * 9
    return Numbers(float(pairs), pairs / pairs)


def _equation_30() -> Numbers:
    total = sum(zhang.MATRIX_1[i][j] ** 2 for i in range(3) for j in range(3) if i != j)
    return Numbers(total, total / 2)


def _second_line() -> Numbers:
    return Numbers(second_line_of_equation_35(4, 50), equation_35(4, 50))


def _lower_bound() -> Numbers:
    return Numbers(equation_35(ORDER, DIRECTIONS), affine_plane(ORDER)["ARImm"])


def _no_constant() -> Numbers:
    return Numbers(of_ensemble([40, 40]), of_ensemble([2, 40]))


def of_franti() -> Iterator[Erratum]:
    """Misprints of Fränti & Rezaei (2016)."""
    for printed in franti.OPERATIONS:
        if printed.remark == "misprint":
            yield of_printed(
                printed,
                _operations,
                version=FRANTI,
                test=STUDIES + "test_franti_study.py::test_operations_and_their_misprint",
                place="",
            )
    names = ("equation 5", "section 2", "section 3.1, cost of the table", "section 3.2", "section 4")
    for name, sentence in zip(names, franti.ERRORS, strict=True):
        yield _sentence(name, sentence, FRANTI, "TestSentencesOfFrantiAndRezaei")


def _key(where: str) -> str:
    return re.sub(r"[ .]", "_", where.partition(",")[0]).lower()


def _operations() -> float:
    """N + k**2 for S1 to S4."""
    sizes = {(each.row, each.column): each.value for each in franti.SIZES}
    return sizes["s1", "points"] + sizes["s1", "clusters"] ** 2


def _sentence(where: str, sentence: str, version: str, tests: str) -> Erratum:
    """What a study says of a sentence or a formula: printed and right in one."""
    return Erratum(
        where=where,
        version=version,
        printed="",
        arithmetic=sentence,
        right="",
        test=f"{HERE}{tests}::test_{_key(where)}",
        status="read",
    )
