"""How functions become machine code: the only room that knows Numba's insides."""
