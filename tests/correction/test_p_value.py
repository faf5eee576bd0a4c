"""What a p-value says about itself."""

from scipy import stats

from chancecorr.correction.p_value import relative_error_of_count


def test_error_of_a_count_covers(record_property):
    """The probability, by the binomial law, that the truth is within the stated error: 95 % or nearly."""
    m, least = 17_000, 1.0
    for p in (0.5, 0.2, 0.05, 0.01, 3e-3, 1e-3, 3e-4, 1e-4):
        low, high = (int(stats.binom.ppf(q, m, p)) for q in (1e-9, 1.0 - 1e-9))
        covered = 0.0
        for reached in range(low, high + 1):
            found = (reached + 1) / (m + 1)
            if abs(p - found) <= relative_error_of_count(reached, m) * found:
                covered += stats.binom.pmf(reached, m, p)
        assert covered > 0.948, p
        least = min(least, covered)
    record_property("least_coverage", least)
