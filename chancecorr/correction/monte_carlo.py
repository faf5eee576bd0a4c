"""How tables are simulated: what is passed as `method` for more than a number of tables."""

import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MonteCarlo:
    """Settings of a simulation, passed as ``method=MonteCarlo(...)``.

    Parameters
    ----------
    n_tables : int, optional
        Number of simulated tables, by default 17,000; with a `precision`, the most there may be, by default
        ten million.
    precision : float, optional
        Half-width of the 99 % confidence interval of the expected index, for each index, in place of a number
        of tables. A mean that is known exactly meets it at once; 17,000 tables then give the distribution.
    controls : bool, optional
        Whether a simulated mean is corrected by control variates with exact means, T or a sum over cells. By
        default where not everything is simulated.
    checkpoint : path, optional
        File that keeps a long simulation, for one process at a time: written every 10 s or so, at the end,
        and at Ctrl-C. The same call goes on from it, and gives the same bits as a call that was never
        interrupted; with a larger `n_tables`, or again with a `budget`, it draws more. It needs an `rng`. A
        file that is damaged or of another run is refused and left as it is.
    progress : bool, optional
        Progress bar on stderr; by default on a terminal if the work takes longer than a second.
    only : bool
        Whether mean and p-value are those of the tables, as in the published method (``"monte-carlo"``); else
        what is known exactly is taken as it is (``"auto"``), and tables give the rest.

    Examples
    --------
    >>> from chancecorr import adjust_table
    >>> score = adjust_table([[10, 2], [3, 9]], "jaccard", method=MonteCarlo(n_tables=1000), rng=0)
    >>> score.n_tables, score.method
    (1000, 'monte-carlo')
    """

    n_tables: int | None = None
    precision: float | None = None
    controls: bool | None = None
    checkpoint: str | os.PathLike[str] | None = None
    progress: bool | None = None
    only: bool = True

    @property
    def name(self) -> str:
        """The method that these are settings of."""
        return "monte-carlo" if self.only else "auto"
