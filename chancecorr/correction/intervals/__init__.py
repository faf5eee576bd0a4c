"""How far an adjusted score may be from that of the population that the objects are a sample of."""
