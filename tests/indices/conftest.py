"""What a test registers is forgotten after it."""

import pytest

import chancecorr as cc


@pytest.fixture
def forget():
    before = set(cc.list_indices())
    yield
    for name in set(cc.list_indices()) - before:
        cc.indices.unregister_index(name)
