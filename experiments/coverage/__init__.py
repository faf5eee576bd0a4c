"""How often intervals of adjusted scores hold the score of the population that was sampled."""
