"""What SciPy, NumPy, joblib and Dask say of the same matters, each with the page of their documentation.

`NOT_STATED` is for a page that has the matter and says nothing of it; where a peer has nothing alike, it is
left out of a promise.
"""

from typing import NamedTuple

NAMES = {"scipy": "SciPy", "numpy": "NumPy", "joblib": "joblib", "dask": "Dask"}


class Said(NamedTuple):
    """A sentence on what a page of a peer says, and the page."""

    sentence: str
    page: str


SCIPY = "https://docs.scipy.org/doc/scipy/reference/generated/scipy."
NUMPY = "https://numpy.org/doc/stable/"
JOBLIB = "https://joblib.readthedocs.io/en/stable/"
DASK = "https://docs.dask.org/en/stable/"
DISTRIBUTED = "https://distributed.dask.org/en/stable/"

RANDOM_TABLE = SCIPY + "stats.random_table.html"
PERMUTATION_TEST = SCIPY + "stats.permutation_test.html"
MONTE_CARLO_TEST = SCIPY + "stats.monte_carlo_test.html"
PARALLEL = JOBLIB + "generated/joblib.Parallel.html"

NOT_STATED = "not stated"

# SciPy
SAME_SUMS = Said('tables "with fixed marginal sums"', RANDOM_TABLE)
TWO_ALGORITHMS = Said("algorithms of Boyett and Patefield", RANDOM_TABLE)
TABLE_SUMS_UNLIMITED = Said("largest sum not stated", RANDOM_TABLE)
CONSERVATIVE = Said("p-values of random permutations are over-estimates; no error is given", PERMUTATION_TEST)
EXACT_IF_FEW = Said(
    'all permutations where `n_resamples` admits them; feasible "only for very small data sets"',
    PERMUTATION_TEST,
)
TIES = Said(
    "values within 100 epsilons are ties; the user is to check whether that is right", MONTE_CARLO_TEST
)
AN_ESTIMATE = Said('`quad` gives "an estimate of the absolute error"', SCIPY + "integrate.quad.html")
HYPERGEOMETRIC = Said(
    "`hypergeom`: `sf` sometimes more accurate than `1 - cdf`; its error is not stated",
    SCIPY + "stats.hypergeom.html",
)
BATCHES = Said("grows with `batch`, by default all permutations; all values are kept", PERMUTATION_TEST)
SEED_REPEATS = Said("`rng` for repeatable behaviour; no workers", SCIPY + "stats.PermutationMethod.html")

# NumPy
SAME_BUILD = Said(
    "same stream from run to run: same build, environment and machine",
    NUMPY + "reference/random/compatibility.html",
)
OTHER_PROCESSORS = Said(
    'other processors may cause differences "in certain edge cases"',
    NUMPY + "reference/random/compatibility.html",
)
FROZEN = Said(
    "may change with a version, with caution; only the legacy `RandomState` is frozen",
    NUMPY + "reference/random/compatibility.html",
)
OVERFLOW = Said(
    "integers of fixed size may overflow; `iinfo` tells the limits",
    NUMPY + "user/basics.types.html#overflow-errors",
)

# joblib
SEED_EACH_TASK = Said(
    "same numbers where the user gives each task a seed", JOBLIB + "auto_examples/parallel_random_state.html"
)
TIMEOUT = Said("`timeout` of each task, off by default", PARALLEL)
LOSS_NOT_STATED = Said(NOT_STATED, JOBLIB + "parallel.html")
CTRL_C = Said("jobs in processes end with Ctrl-C; in what time is not stated", PARALLEL)
BATCHED_BY_TIME = Said('`batch_size="auto"` follows the time that batches take', PARALLEL)
GENERATOR = Said('results one by one with `return_as="generator"`', PARALLEL)
DAMAGE_NOT_STATED = Said("`Memory`: not stated", JOBLIB + "memory.html")

# Dask
MAY_CHANGE = Said("may change with a version; parity with NumPy not guaranteed", DASK + "array-random.html")
CHUNKS_NOT_STATED = Said("whether `chunks` change the numbers is not stated", DASK + "array-random.html")
RECOMPUTED = Said(
    "recomputed by surviving workers; a function that is not pure may give another result",
    DISTRIBUTED + "resilience.html",
)
RAISED = Said(
    "the error of a function is raised where its result is asked for", DISTRIBUTED + "resilience.html"
)
BLAMED = Said(
    "`KilledWorker` for a task that ends more workers than `allowed-failures`", DISTRIBUTED + "killed.html"
)
NO_WORKERS_TIMEOUT = Said("waits, unless `no-workers-timeout` is set", DASK + "configuration.html")
SCHEDULER_LOST = Said(
    "state of the scheduler is not kept, records of ongoing work are lost", DISTRIBUTED + "resilience.html"
)
RUN_AGAIN = Said("functions may run several times", DISTRIBUTED + "limitations.html")
PARTITIONS = Said("arrays larger than memory by chunks", DASK + "array.html")
WORKER_MEMORY = Said(
    "a worker spills to disk at 60 %, is paused at 80 % and ended at 95 % of its limit",
    DISTRIBUTED + "worker-memory.html",
)
