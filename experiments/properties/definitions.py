"""The properties: what each says, where it is from, and which search decides it.

U is the reference and V the candidate, s(U, V) the index. A clustering is trivial if it has one cluster or n.
All clusterings are meant, trivial ones too unless the statement says otherwise.
"""

from collections.abc import Callable
from dataclasses import dataclass

from experiments.properties.searches import (
    Counterexample,
    constant_baseline,
    constant_baseline_given_reference,
    free_of_cluster_number,
    maximal_agreement,
    metric,
    monotone,
    monotone_merging,
    monotone_splitting,
    symmetric,
    weakly_monotone,
)
from experiments.properties.values import View

GOSGENS = "Gösgens, Tikhonov & Prokhorenkova (2021), PMLR 139"


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A property, and the search for a counterexample among the clusterings of n objects.

    Attributes
    ----------
    key, title, statement, source : str
        Name, heading, exact words, where it is from.
    search : callable or None
        ``search(view)``; None where another module decides.
    directed : bool
        Whether it means something only for an index with a value for perfect agreement.
    """

    key: str
    title: str
    statement: str
    source: str
    search: Callable[[View], Counterexample | None] | None = None
    directed: bool = True


DEFINITIONS: tuple[Definition, ...] = (
    Definition(
        key="maximal_agreement",
        title="Maximal agreement",
        statement="Among n objects there is a value that s(U, U) has for every U, and that no s(U, V) with"
        " V other than U reaches or betters.",
        source=f"{GOSGENS}, for n fixed",
        search=maximal_agreement,
    ),
    Definition(
        key="minimal_agreement",
        title="Minimal agreement",
        statement="As a function of the pair counts with sum N: all a = d = 0 have one value, and all other"
        " counts have a better one.",
        source=GOSGENS,
    ),
    Definition(
        key="symmetric",
        title="Symmetry",
        statement="s(U, V) = s(V, U) for all U and V.",
        source=GOSGENS,
        search=symmetric,
        directed=False,
    ),
    Definition(
        key="metric",
        title="Metric",
        statement="abs(c - s(U, V)), c the value s(U, U) of all U, is a metric on the clusterings of n"
        " objects: 0 for U = V only, symmetric, and at most the sum of the distances of U and V to any W.",
        source=f"{GOSGENS}: linearly transformable to a metric distance",
        search=metric,
    ),
    Definition(
        key="monotone",
        title="Monotone",
        statement="Every perfect merge and every perfect split of V towards U, U not trivial, makes s(U, V)"
        " better. A perfect merge unites two clusters of V within one cluster of U; a perfect split parts a"
        " cluster of V so that objects together in U stay together.",
        source=GOSGENS,
        search=monotone,
    ),
    Definition(
        key="monotone_merging",
        title="Monotone in merging",
        statement="Every perfect merge of V towards U, U not trivial, makes s(U, V) better.",
        source="half of monotone",
        search=monotone_merging,
    ),
    Definition(
        key="monotone_splitting",
        title="Monotone in splitting",
        statement="Every perfect split of V towards U, U not trivial, makes s(U, V) better.",
        source="half of monotone",
        search=monotone_splitting,
    ),
    Definition(
        key="weakly_monotone",
        title="Weakly monotone",
        statement="No perfect merge and no perfect split of V towards U, U not trivial, makes s(U, V) worse.",
        source="monotone without strictness",
        search=weakly_monotone,
    ),
    Definition(
        key="strongly_monotone",
        title="Strongly monotone",
        statement="As a function of the pair counts: one more in a, or in d, makes it better where b + c > 0;"
        " one more in b, or in c, makes it worse where a + d > 0; the other three counts stay.",
        source=GOSGENS,
    ),
    Definition(
        key="monotone_in_counts",
        title="Monotone in the pair counts",
        statement="As a function of the pair counts with sum N: a pair that passes from b or c to a or d"
        " makes it better.",
        source="strongly monotone with the number of pairs fixed",
    ),
    Definition(
        key="constant_baseline",
        title="Constant baseline",
        statement="The mean of s(U, V) over all V with given cluster sizes, all equally likely, is the same"
        " for all sizes and all U, neither U nor V being trivial.",
        source=f"{GOSGENS}, for n fixed",
        search=constant_baseline,
        directed=False,
    ),
    Definition(
        key="constant_baseline_given_reference",
        title="Constant baseline, given the reference",
        statement="For every U, the mean of s(U, V) over all V with given cluster sizes, all equally likely,"
        " is the same for all sizes, neither U nor V being trivial.",
        source="constant baseline, one reference at a time",
        search=constant_baseline_given_reference,
        directed=False,
    ),
    Definition(
        key="asymptotic_constant_baseline",
        title="Asymptotic constant baseline",
        statement="As a function of the pair counts: at a = PQ/N, b = P - a, c = Q - a, d = N - P - Q + a,"
        " where P = pN and Q = qN, it tends for large N to one number for all p and q between 0 and 1.",
        source=GOSGENS,
        directed=False,
    ),
    Definition(
        key="free_of_cluster_number",
        title="Free of the number of clusters",
        statement="For every U, the mean of s(U, V) over all V with K clusters, all equally likely, is the"
        " same for all K from 2 to n - 1, U not being trivial.",
        source="Lei et al. (2017), doi:10.1016/j.patcog.2016.12.003, as an equation",
        search=free_of_cluster_number,
        directed=False,
    ),
    Definition(
        key="linear_complexity",
        title="Linear complexity",
        statement="The value takes a number of steps proportional to the number of objects, once the labels"
        " are numbered.",
        source=GOSGENS,
        directed=False,
    ),
)
"""The properties, in the order in which they are shown."""
