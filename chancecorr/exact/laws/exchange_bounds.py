"""Proven bounds of a tail of an index that changes little if two objects exchange their clusters.

Reveal the random order of the objects place by place: the expected value, given what is revealed, moves in
each of n - 1 steps within an interval of the length c, the most that the index X changes if two objects
exchange their clusters. So ::

    P(X - E X >= x) <= exp(-2 x**2 / ((n - 1) c**2))        Hoeffding (1963), Azuma (1967), McDiarmid (1989)

A mean of m simulated tables has such a tail as well, m times as steep. With ``a = x / (c sqrt((n - 1) / 2))``
for the distance x from the simulated mean, let this be wrong by more than u in units of a with probability
``exp(-m u**2)``, and the tail from there on be ``exp(-(a - u)**2)``: the two are equal at
``u = a / (1 + sqrt(m))``, and their sum is the bound.
"""

import math


def log_bound_by_exchanges(distance: float, n: int, change: float, n_tables: int = 0) -> float:
    """Log of a bound of ``P(X - E X >= distance)``, the mean exact or of so many tables; at most 0."""
    if not distance > 0.0 or n < 2:
        return 0.0
    if not change > 0.0:
        return -math.inf
    a = distance / (change * math.sqrt((n - 1) / 2.0))
    if not n_tables:
        return -a * a
    least = a * math.sqrt(n_tables) / (1.0 + math.sqrt(n_tables))
    return min(0.0, math.log(2.0) - least * least)
