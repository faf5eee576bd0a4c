"""Pair-counting indices: functions of the pairs of objects that two clusterings put together or apart.

Of the ``N = n(n-1)/2`` pairs a are together in both clusterings, b in the reference only, c in the candidate
only, d in neither.
"""
