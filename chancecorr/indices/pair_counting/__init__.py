"""Pair-counting indices: functions of the pairs of objects that two clusterings put together or apart.

Of the ``N = n(n-1)/2`` pairs a are together in both clusterings, b in the reference only, c in the candidate
only, d in neither: ``P = a + b`` are together in the reference and ``P' = c + d`` are not, ``Q = a + c`` are
together in the candidate and ``Q' = b + d`` are not; ``D = a d - b c``. The worked example of every entry is
the table ``((2, 1), (0, 3))``: a = 4, b = 2, c = 3, d = 6.
"""
