"""Scorers in scikit-learn's model selection, scores that are not defined, and scores as numbers."""

import copy
import itertools
import math
import pickle
import re

import numpy as np
import pytest

import chancecorr as cc

LABELS = ["a", "a", "b", "b", "c", "c"]


class Fixed:
    """An estimator that knows its clustering, in each of the three ways."""

    def __init__(self, labels):
        self.kept = labels

    def fit(self, X):
        self.labels_ = self.kept
        return self

    def predict(self, X):
        return self.kept[: len(X)]

    fit_predict = predict


@pytest.mark.parametrize("labels", ["predict", "labels_", "fit_predict"])
@pytest.mark.parametrize("index", ["jaccard", "rand", "van_dongen"])
def test_it_is_the_adjusted_score(labels, index):
    candidate = [0, 0, 1, 1, 1, 2]
    found = cc.make_scorer(index, labels=labels, rng=3)(Fixed(candidate).fit(None), range(6), LABELS)
    assert isinstance(found, float)
    assert found == cc.adjusted_score(LABELS, candidate, index, rng=3)


def test_further_keywords_reach_the_score():
    candidate = [0, 0, 1, 1, -1, -1]
    scorer = cc.make_scorer("rand", noise="drop", best=0.9)
    wanted = cc.adjusted_score(LABELS, candidate, "rand", noise="drop", best=0.9)
    assert scorer(Fixed(candidate), range(6), LABELS) == wanted


@pytest.mark.parametrize("index", ["jaccard", "nmi_sum", "f_beta(0.5)", cc.get_index("purity")])
def test_copies_and_pickles(index):
    scorer = cc.make_scorer(index, undefined="zero", rng=1)
    for other in (pickle.loads(pickle.dumps(scorer)), copy.deepcopy(scorer), copy.copy(scorer)):
        assert repr(other) == repr(scorer)
        estimator = Fixed([0, 0, 1, 1, 1, 1])
        assert other(estimator, range(6), LABELS) == scorer(estimator, range(6), LABELS)


def together(a, b, c, d):
    return a / (a + b + c + d)


def test_a_users_index_goes_along_to_other_processes():
    cc.register_index("share_together", together, needs="pairs", affine=True)
    try:
        pickled = pickle.dumps(cc.make_scorer("share_together"))
        wanted = cc.adjusted_score(LABELS, [0, 0, 1, 1, 1, 1], "share_together")
    finally:
        cc.indices.unregister_index("share_together")
    assert pickle.loads(pickled)(Fixed([0, 0, 1, 1, 1, 1]), range(6), LABELS) == wanted


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: cc.make_scorer("jacard"), ValueError,
         "`index` must be a registered index; got 'jacard'. Did you mean 'jaccard'?"),
        (lambda: cc.make_scorer(labels="labels"), ValueError,
         "`labels` must be one of 'predict', 'labels_', 'fit_predict'; got 'labels'. Did you mean"
         " 'labels_'?"),
        (lambda: cc.make_scorer(undefined=0.0), ValueError,
         "`undefined` must be one of 'nan', 'one', 'zero'; got 0.0."),
        (lambda: cc.make_scorer(noise="dorp"), ValueError,
         "`noise` must be one of None, 'keep', 'drop', 'singletons'; got 'dorp'. Did you mean 'drop'?"),
        (lambda: cc.make_scorer(n_tables=0), ValueError, "`n_tables` must be at least 1; got 0."),
        (lambda: cc.make_scorer(n_table=5), TypeError,
         "`make_scorer` has no keyword 'n_table'. Did you mean 'n_tables'?"),
        (lambda: cc.make_scorer()(Fixed(LABELS), range(6)), ValueError,
         "`y` must hold the reference labels; got None. Pass them with X, as in `fit(X, y)`."),
        (lambda: cc.make_scorer()(object(), [0, 1, 2], [0, 0, 1]), TypeError,
         "`estimator` must have `predict`, which object has not."),
        (lambda: cc.make_scorer(labels="labels_")(Fixed(LABELS), range(6), LABELS), TypeError,
         "`estimator` must have `labels_`, which Fixed has not. Call `fit` first."),
        (lambda: cc.make_scorer(labels="labels_")(Fixed(LABELS).fit(None), range(4), LABELS[:4]), ValueError,
         "`labels` must be 'predict' or 'fit_predict' if an estimator is scored on other objects than it"
         " was fitted to; got 'labels_' with 6 labels, and 4 objects."),
        (lambda: cc.adjusted_score([0, 1], [0, 1], undefined="1"), ValueError,
         "`undefined` must be one of 'nan', 'one', 'zero'; got '1'."),
    ],
)  # fmt: skip
def test_errors(call, error, message):
    with pytest.raises(error, match="^" + re.escape(message) + "$"):
        call()


class TestUndefined:
    @pytest.mark.parametrize("index", ["rand", "jaccard", "nmi_sum", "mutual_information", "purity"])
    def test_what_stands_for_nan(self, index):
        flat, singletons, half = [0] * 6, list(range(6)), [0, 0, 0, 1, 1, 1]
        for x, y in itertools.product((flat, singletons, half), repeat=2):
            plain, one, zero = (
                cc.adjusted_score(x, y, index, rng=0, undefined=word) for word in ("nan", "one", "zero")
            )
            assert (one, zero) == ((float(x == y), 0.0) if math.isnan(plain) else (plain, plain))

    def test_in_a_scorer(self):
        for word, value in {"one": 1.0, "zero": 0.0}.items():
            assert cc.make_scorer("jaccard", undefined=word)(Fixed([1] * 4), range(4), [0] * 4) == value
        assert math.isnan(cc.make_scorer("jaccard")(Fixed([1] * 4), range(4), [0] * 4))


class TestModelSelection:
    """With the scikit-learn that is installed."""

    @pytest.fixture
    def blobs(self):
        datasets = pytest.importorskip("sklearn.datasets")
        return datasets.make_blobs(240, centers=5, cluster_std=0.5, random_state=4, center_box=(-20, 20))

    @pytest.mark.slow
    def test_a_grid_search_finds_the_number_of_clusters(self, blobs):
        from sklearn.cluster import KMeans
        from sklearn.model_selection import GridSearchCV

        how = {"scoring": cc.make_scorer("jaccard"), "cv": 3, "error_score": "raise"}
        search = GridSearchCV(KMeans(n_init=3, random_state=0), {"n_clusters": [3, 4, 5, 6]}, **how)
        search.fit(*blobs)
        assert search.best_params_ == {"n_clusters": 5}
        assert search.best_score_ == pytest.approx(1.0, abs=1e-9)
        assert search.score(*blobs) == pytest.approx(1.0, abs=1e-9)

    def test_clusterers_without_predict(self, blobs):
        from sklearn.cluster import AgglomerativeClustering
        from sklearn.model_selection import GridSearchCV

        def find(cv, **options):
            how = {"scoring": cc.make_scorer("jaccard", **options), "cv": cv, "error_score": "raise"}
            search = GridSearchCV(AgglomerativeClustering(), {"n_clusters": [3, 5, 7]}, **how)
            return search.fit(*blobs).best_params_

        every = [(np.arange(240), np.arange(240))]
        for labels, cv in (("fit_predict", 3), ("labels_", every), ("fit_predict", every)):
            assert find(cv, labels=labels) == {"n_clusters": 5}
        with pytest.warns(UserWarning, match="AgglomerativeClustering has no `predict`, and clusters each"):
            assert find(3) == {"n_clusters": 5}
