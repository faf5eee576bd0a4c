"""Gates & Ahn (2017), reproduced."""
