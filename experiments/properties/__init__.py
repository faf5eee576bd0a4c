"""Properties of every index of the catalogue: proved, refuted by the smallest counterexample, or open."""
