"""Formulas of the catalogue: each can be read, says what the code computes, and explains its symbols."""

import re

import pytest
from formulas.latex import as_latex
from formulas.reading import GREEK, read_formula
from formulas.symbols import SYMBOLS, left_to_explain
from formulas.tree import (
    Call,
    Number,
    Over,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
)

import chancecorr as cc
from chancecorr.indices.registry import FAMILIES
from tests.indices.formula_values import IN_WORDS, Values

NAMES = [name for family in FAMILIES[:-1] for name in cc.list_indices(family)]
COMMANDS = {
    "frac", "sqrt", "sum", "prod", "max", "min", "log", "exp", "cos", "arccos", "arcsin", "binom", "text",
    "mathrm", "mathtt", "left", "right", "lvert", "rvert", "mid", "cdot", "le", "ge", "quad", "begin", "end",
    *GREEK,
}  # fmt: skip
IN_MATHEMATICS = [name for name in NAMES if not any(word in cc.get_index(name).formula for word in IN_WORDS)]

TABLES = [
    ((5, 2, 1), (1, 4, 2), (1, 1, 6)),
    ((3, 1, 1, 2), (1, 4, 1, 1), (2, 1, 3, 1)),
    ((4, 1), (1, 3), (2, 2), (1, 2)),
    ((3, 2), (2, 3)),  # fewer pairs together than by chance: D < 0
]
"""No cell is empty, so that no term is 0 log 0, and no cluster is single."""


@pytest.mark.heavy
def test_the_formula_is_the_function():
    for name in IN_MATHEMATICS:
        for table in TABLES:
            for found in Values(name, table).of_formula():
                assert found == pytest.approx(cc.score_table(table, name), rel=1e-11, abs=1e-13), name


def test_few_formulas_are_in_words():
    assert set(NAMES) - set(IN_MATHEMATICS) == {
        "criterion_h", "meila_heckerman", "centroid_index", "centroid_index_1", "centroid_index_2",
        "centroid_similarity", "dirichlet_reduced_information", "irm", "reduced_nmi",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("jaccard", "a / (a + b + 2 c)"),
        ("purity", "sum_i max_j n_ij / n"),
        ("nmi_max", "I / min(H(U), H(V))"),
        ("pair_sets_index", "max_sigma sum_i n_i,sigma(i) / n"),
        ("cole", "D / min(P Q', Q P')"),
    ],
)
def test_another_formula_is_not(name, wrong, monkeypatch):
    values = [Values(name, table) for table in TABLES]
    for value in values:
        value.formula = read_formula(wrong, NAMES)
    differing = [
        value.of_formula()[0] != pytest.approx(cc.score_table(table, name), rel=1e-11)
        for value, table in zip(values, TABLES, strict=True)
    ]
    assert any(differing)


def test_every_symbol_is_explained():
    for name in NAMES:
        entry = cc.get_index(name)
        unexplained = set(left_to_explain(read_formula(entry.formula, NAMES))) - set(SYMBOLS[entry.family])
        assert {symbol for symbol in unexplained if symbol != "H_q"} == set(), name


def test_every_explanation_is_of_a_symbol_that_occurs_and_can_be_read():
    for family, meanings in SYMBOLS.items():
        used = {
            symbol
            for name in cc.list_indices(family)
            for symbol in left_to_explain(read_formula(cc.get_index(name).formula, NAMES))
        }
        assert set(meanings) <= used | {"n", "n_ij", "n_i", "m_j", "U", "V", "H", "K", "Q"}
        for meaning in meanings.values():
            for formula in meaning.split("`")[1::2]:
                as_latex(formula)


class TestTheTree:
    def test_precedence(self):
        def tree(text):
            return read_formula(text).cases[0][0]

        a, b, c = map(Symbol, "abc")
        assert tree("a + b c") == Sum(((1, a), (1, Product((b, c)))))
        assert tree("a b / c") == Quotient(Product((a, b)), c)
        assert tree("a / b / c") == Quotient(Quotient(a, b), c)
        assert tree("a b^2") == Product((a, Power(b, Number("2"))))
        assert tree("(a b)^2") == Power(Product((a, b)), Number("2"))
        assert tree("-a + b") == Sum(((-1, a), (1, b)))
        assert tree("a(b + c)") == Call(a, (Sum(((1, b), (1, c))),))
        assert tree("a (b + c)") == Product((a, Sum(((1, b), (1, c)))))
        assert tree("sum_i a / b + c") == Sum(((1, Over("sum", "i", Quotient(a, b))), (1, c)))
        assert tree("2 sum_i a max_j b") == Product(
            (Number("2"), Over("sum", "i", Product((a, Over("max", "j", b)))))
        )
        assert tree("sqrt(2) a") == Product((Call("sqrt", (Number("2"),)), a))
        assert tree("log C(a, b) / c") == Quotient(Call("log", (Call(Symbol("C"), (a, b)),)), c)

    @pytest.mark.parametrize(
        "text",
        ["", "a +", "a / b c", "(a", "a)", "a,", "sqrt", "max_j", "a ~ b", "a;", "^2", "a =", "sum of all"],
    )
    def test_what_cannot_be_read_is_refused(self, text):
        with pytest.raises(ValueError, match="`formula` must be regular; got " + re.escape(repr(text))):
            read_formula(text)

    def test_words_stay_words(self):
        formula = read_formula("M / n, M the sum of counts with n_i. > 1, over the clusters", NAMES)
        words = [part for piece in formula.remarks for part in piece if isinstance(part, str)]
        assert words == ["the sum of counts with", "over the clusters"]


class TestLatex:
    def test_is_well_formed(self):
        for name in NAMES:
            latex = as_latex(cc.get_index(name).formula, NAMES)
            depth = 0
            for brace in re.findall(r"(?<!\\)[{}]", latex):
                depth += 1 if brace == "{" else -1
                assert depth >= 0, name
            assert depth == 0, name
            assert latex.count(r"\left") == latex.count(r"\right"), name
            assert set(re.findall(r"\\([A-Za-z]+)", latex)) <= COMMANDS, name
            assert not re.search(r"(?<!\\)_(?!\{)", latex), name
