"""What evaluates one unit of a study may use: random numbers that go by name, and a clock of its parts."""

import hashlib
import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

Inputs = Mapping[str, Any]
"""What a unit is made from: text, numbers, lists and mappings of these, as JSON has them."""

Record = dict[str, Any]
"""What a unit gives, likewise; a float may be nan or infinite."""


def generator(*key: str | int) -> np.random.Generator:
    """The random numbers that belong to some words and whole numbers, such as a seed, a data set and a use.

    Another key gives an independent stream; the same key the same bits, whoever asks and in whichever order.
    """
    digest = hashlib.sha256(json.dumps(key).encode()).digest()
    return np.random.default_rng(np.frombuffer(digest, dtype="<u4").tolist())


class Clock:
    """Seconds of wall-clock time by part.

    Attributes
    ----------
    seconds : dict
        What each part has taken so far, by its name.
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, part: str) -> Iterator[None]:
        """Time what runs inside and add it to the part."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[part] = self.seconds.get(part, 0.0) + time.perf_counter() - began
