"""A slow twin of the contingency table, and comparisons of tables with their labels."""

from collections import Counter


def twin(labels, partner):
    """Counts by a dict from pairs of Python objects to numbers of objects; None leaves an object out."""
    pairs = Counter((row, column) for row, column in zip(labels, partner, strict=True) if row is not None)
    rows, columns = (sorted(set(side)) for side in zip(*pairs, strict=True))
    return [[pairs[row, column] for column in columns] for row in rows]


def names(table):
    """Labels of the rows and of the columns."""
    return table.row_labels.tolist(), table.column_labels.tolist()


def assert_same(found, expected):
    """Equal counts and labels."""
    assert found == expected
    assert names(found) == names(expected)
