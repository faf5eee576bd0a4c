"""Zhang, Wong & Shen (2012), generalised adjusted Rand indices for cluster ensembles, reproduced."""
