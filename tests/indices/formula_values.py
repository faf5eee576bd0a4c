"""Formulas of the catalogue evaluated on a table, from their trees: what is printed, not what is computed.

Cells, row and column totals are arrays of two axes, so that sums over i and j are sums along an axis.
"""

import functools
import itertools
import math

import numpy as np
from formulas.reading import read_formula
from formulas.tree import (
    Call,
    Factorial,
    Given,
    Name,
    Number,
    Over,
    Power,
    Product,
    Quotient,
    Relation,
    Sum,
    Symbol,
)

import chancecorr as cc
from chancecorr.indices.information.generalized import log_number_of_tables

FUNCTIONS = {
    "sqrt": np.sqrt, "log": np.log, "log10": np.log10, "exp": np.exp, "cos": np.cos, "arccos": np.arccos,
    "arcsin": np.arcsin, "abs": np.abs,
    "max": lambda *values: functools.reduce(np.maximum, values),
    "min": lambda *values: functools.reduce(np.minimum, values),
}  # fmt: skip
ALONG = {"sum": np.sum, "prod": np.prod, "max": np.max, "min": np.min}

NAMES = cc.list_indices()

IN_WORDS = ("greedy matching", "nearest", "the credits", "in an urn", "dirichlet_reduced_information")
"""What the remarks of formulas have that cannot be evaluated."""


def read(name):
    return read_formula(cc.get_index(name).formula, NAMES)


class Values:
    """The values that symbols have on a table without empty clusters."""

    def __init__(self, name, table):
        self.table = np.array(table, dtype=float)
        self.name, self.entry, self.formula = name, cc.get_index(name), read(name)
        rows, columns = self.table.sum(axis=1), self.table.sum(axis=0)
        n, (K, Q) = rows.sum(), self.table.shape
        self.clusters = {
            "n": n, "n_ij": self.table, "n_i": rows[:, None], "m_j": columns[None, :], "K": K, "pi": math.pi
        }  # fmt: skip
        if self.entry.family == "pair_counting":
            a, b, c, d = map(float, pair_counts(self.table))
            self.clusters |= {
                "a": a, "b": b, "c": c, "d": d, "P": a + b, "Q": a + c, "P'": c + d, "Q'": b + d,
                "N": a + b + c + d, "D": a * d - b * c, "n_i.": rows[:, None], "n_.j": columns[None, :],
                "T": (self.table**2).sum(), "S_x": (rows**2).sum(), "S_y": (columns**2).sum(),
            }  # fmt: skip
            if name == "janson_vegelius":  # whose remark says so
                self.clusters["Q"] = Q
            if name == "lerman":
                self.clusters["s"] = standard_deviation_of_a(rows, columns)
        elif self.entry.family == "information":
            self.clusters |= {"K'": Q, "phi": math.sqrt((self.table**2 / np.outer(rows, columns)).sum() - 1)}
            self.clusters |= {"I": entropy(rows) + entropy(columns) - entropy(self.table)}
            if name == "reduced_mutual_information":  # whose number of tables is an approximation
                self.clusters["Omega"] = math.exp(log_number_of_tables(*margins(self.table)))
        else:
            sizes = np.outer(rows, np.ones(Q)) + columns - self.table
            self.clusters |= {"Q": Q, "J_ij": self.table / sizes}
            same = (rows[:, None] == self.table) & (columns == self.table) & (self.table > 0)
            self.clusters |= {"C": (self.table > 0).sum(), "E": same.sum()}
            if "clusterwise_wallace" in name:
                self.clusters |= {"K'": (rows > 1).sum(), "Q'": (columns > 1).sum()}
            least = min(K, Q)
            self.clusters |= {
                "n_(i)": -np.sort(-rows)[:least, None],
                "m_(i)": -np.sort(-columns)[:least, None],
            }
        self.definitions = dict(self.formula.definitions)
        if name.endswith("_pair_sets_index"):  # whose letters are those of another
            self.definitions |= read("pair_sets_index").definitions

    def of_formula(self):
        """Values of all sides of the case that holds, which should be one number."""
        for value, *when in self.formula.cases:
            conditions = [part for part in when if not isinstance(part, str)]
            if all(self.holds(condition) for condition in conditions):
                sides = value.sides if isinstance(value, Relation) else [value]
                return [float(np.squeeze(self.of(side, {}))) for side in sides]
        raise AssertionError("no case holds")

    def holds(self, relation):
        left, right = (self.of(side, {}) for side in relation.sides)
        return {">": left > right, ">=": left >= right}[relation.signs[0]]

    def of(self, node, bound):
        match node:
            case Number(text):
                return float(text)
            case Name(text):
                return score(self.table, text)
            case Symbol():
                return self.of_symbol(node, bound)
            case Product(factors):
                return math.prod((self.of(factor, bound) for factor in factors), start=np.float64(1.0))
            case Quotient(above, below):
                return self.of(above, bound) / self.of(below, bound)
            case Power(base, exponent):
                return self.of(base, bound) ** self.of(exponent, bound)
            case Sum(terms):
                return sum(sign * self.of(term, bound) for sign, term in terms)
            case Over():
                return self.over(node, bound)
            case Call(function, arguments):
                return self.call(function, arguments, bound)
        raise AssertionError(node)

    def of_symbol(self, symbol, bound):
        if symbol in self.definitions:
            return self.of(self.definitions[symbol], bound)
        return np.float64(1.0) * bound.get(symbol.text, self.clusters.get(symbol.text))

    def over(self, node, bound):
        if node.index == "sigma":
            assert node.operation == "max"
            return max(self.of(node.body, bound | matched) for matched in self.matchings())
        body = self.of(node.body, bound)
        axis = {"i": 0, "j": 1, "": None}[node.index]
        return ALONG[node.operation](body, axis=axis, keepdims=axis is not None)

    def matchings(self):
        """Each cluster of the side that has fewer is matched; of the others, some."""
        K, Q = self.table.shape
        rows, columns = self.clusters["n_i"][:, 0], self.clusters["m_j"][0]
        for other in itertools.permutations(range(max(K, Q)), min(K, Q)):
            one = range(min(K, Q))
            i, j = (list(one), list(other)) if K <= Q else (list(other), list(one))
            together = {"n_i": rows[i], "n_i,sigma(i)": self.table[i, j], "m_sigma(i)": columns[j]}
            yield {text: values[:, None] for text, values in together.items()}

    def call(self, function, arguments, bound):
        if isinstance(function, str):
            return FUNCTIONS[function](
                *(
                    np.vectorize(lambda x: math.factorial(int(x)))(self.of(part.of, bound)).astype(float)
                    if isinstance(part, Factorial)
                    else self.of(part, bound)
                    for part in arguments
                )
            )
        if function.text == "C":
            above, below = (self.of(part, bound) for part in arguments)
            return np.vectorize(lambda x, y: float(math.comb(int(x), int(y))))(above, below)
        shares = {"U": self.table.sum(axis=1), "V": self.table.sum(axis=0), "UV": self.table}
        if function.text == "L":
            return score(between(self.table, *(part.text for part in arguments)), "lerman")
        if isinstance(arguments[0], Given):
            return entropy(self.table) - entropy(shares[arguments[0].right.text])
        which = shares["".join(part.text for part in arguments)]
        if function.text == "H":
            return entropy(which)
        assert function.text == "H_q"
        return self.of(self.definitions[function], bound | {"p": which.ravel() / which.sum()})


def score(table, name):
    return cc.score_table(np.array(table).astype(int).tolist(), name)


def margins(table):
    return table.sum(axis=1).astype(np.int64), table.sum(axis=0).astype(np.int64)


def entropy(counts):
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log(shares)).sum())


def pair_counts(table):
    """Pairs together in both, in the rows only, in the columns only, in neither."""
    together = [int((x * (x - 1)).sum()) // 2 for x in (table, table.sum(axis=1), table.sum(axis=0))]
    n = int(table.sum())
    a, P, Q = together
    return a, P - a, Q - a, n * (n - 1) // 2 - P - Q + a


def between(table, one, other):
    """The table of a clustering with itself, or of both."""
    if one != other:
        return table
    return np.diag(table.sum(axis=1 if one == "U" else 0))


def standard_deviation_of_a(rows, columns):
    """By enumeration of all tables with these totals."""
    law = {}
    for shares in tables_with(tuple(map(int, rows)), tuple(map(int, columns))):
        weight = math.exp(-sum(math.lgamma(x + 1) for row in shares for x in row))
        together = sum(x * (x - 1) // 2 for row in shares for x in row)
        law[together] = law.get(together, 0.0) + weight
    total = math.fsum(law.values())
    mean = math.fsum(a * weight for a, weight in law.items()) / total
    return math.sqrt(math.fsum((a - mean) ** 2 * weight for a, weight in law.items()) / total)


def tables_with(rows, columns):
    if not rows:
        if not any(columns):
            yield ()
        return
    for row in itertools.product(*(range(min(rows[0], column) + 1) for column in columns)):
        if sum(row) == rows[0]:
            left = tuple(column - x for column, x in zip(columns, row, strict=True))
            for rest in tables_with(rows[1:], left):
                yield (row, *rest)
