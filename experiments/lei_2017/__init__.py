"""Lei et al. (2017), reproduced."""
