"""The demo: nine indices corrected for chance on Fisher's irises."""
