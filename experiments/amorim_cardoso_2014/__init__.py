"""Amorim & Cardoso (2014), reproduced: 18 scenarios, two kinds of clusterers, nine indices."""
