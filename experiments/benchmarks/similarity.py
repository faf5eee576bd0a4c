"""Soft and overlapping clusterings, and consensus matrices, corrected for chance.

`chancecorr.adjust` on 20,000 objects, with exact moments alone and with 99 permutations. Soft
clusterings have 10 and 8 clusters, overlapping ones 6 and 5. The consensus matrix of 10 partitions is made
tile by tile where it is read, as one on disk would be. Peak resident memory is that of a fresh process, above
what it was after compiling; seconds are those of one call.
"""

import json
import statistics

from experiments.benchmarks.timing import REPEATS, Row, run, run_python, scaled

OBJECTS = 20_000
PERMUTATIONS = 99
CASES = [
    ("soft and soft", "rand", "soft(10), soft(8)", (0, PERMUTATIONS)),
    ("labels and soft", "rand", "labels(), soft(8)", (0, PERMUTATIONS)),
    ("soft and soft", "fuzzy_rand", "soft(10), soft(8)", (0,)),
    ("overlapping", "omega", "cover(6), cover(5)", (0,)),
    ("consensus matrix and labels", "rand", "Consensus(), labels()", (0,)),
]
CODE = """
import json, time
import numpy as np
import chancecorr as cc

def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024

rng = np.random.default_rng(1)
soft = lambda k: cc.Membership(rng.dirichlet(np.full(k, 0.3), n))
cover = lambda k: cc.Cover(rng.integers(0, 2, (n, k)))
labels = lambda: rng.integers(0, 10, n)

class Consensus:
    def __init__(self):
        self.partitions = rng.integers(0, 10, (10, n))
        self.shape, self.dtype = (n, n), np.dtype(np.float64)

    def __getitem__(self, key):
        rows, columns = key
        together = np.zeros((len(self.partitions[0, rows]), len(self.partitions[0, columns])))
        for codes in self.partitions:
            together += codes[rows, None] == codes[columns]
        return together / len(self.partitions)

def call(m):
    began = time.perf_counter()
    tables = {{"n_tables": m}} if m else {{"method": "analytic"}}
    cc.adjust(known(P), known(Q), {index!r}, rng=1, **tables)
    return time.perf_counter() - began

known = lambda side: cc.Similarity(side) if isinstance(side, Consensus) else side
n = 50
P, Q = {sides}
call(9)
n = {n}
P, Q = {sides}
before = peak()
seconds = call({m})
print(json.dumps([seconds, peak() - before]))
"""


def measure(scale: float = 1.0) -> list[Row]:
    """One row a case: seconds, and MiB above the warmed interpreter."""
    n = scaled(OBJECTS, scale, minimum=60)
    rows: list[Row] = []
    for clusterings, index, sides, permutations in CASES:
        for m in permutations:
            code = CODE.format(index=index, sides=sides, n=n, m=m)
            runs = [json.loads(run_python(code)[1]) for _ in range(scaled(REPEATS, scale))]
            seconds, peaks = zip(*runs, strict=True)
            rows.append(
                {
                    "clusterings": clusterings,
                    "index": index,
                    "objects": n,
                    "permutations": str(m),
                    "s": statistics.median(seconds),
                    "s, min": min(seconds),
                    "s, max": max(seconds),
                    "above the warmed interpreter, MiB": statistics.median(peaks),
                }
            )
    return rows


def main() -> None:
    """Print the table."""
    run(measure)


if __name__ == "__main__":
    main()
