"""A slow twin of the contingency table, and comparisons of tables with their labels."""

from collections import Counter

from chancecorr import contingency_table


def twin(labels, partner):
    """Counts by a dict from pairs of Python objects to numbers of objects; None leaves an object out."""
    pairs = Counter((row, column) for row, column in zip(labels, partner, strict=True) if row is not None)
    rows, columns = sorted({row for row, _ in pairs}), sorted({column for _, column in pairs})
    return [[pairs[row, column] for column in columns] for row in rows]


def cells(*sides, **keywords):
    """Dense counts of labels as a nested list."""
    return contingency_table(*sides, **keywords).dense_counts().tolist()


def names(table):
    """Labels of the rows and of the columns."""
    return table.row_labels.tolist(), table.column_labels.tolist()


def assert_same(found, expected):
    """Equal counts and labels."""
    assert found == expected
    assert names(found) == names(expected)
