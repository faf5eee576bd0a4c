"""Studies, benchmarks and the demo: what is run with chancecorr, and no part of the installed package."""
