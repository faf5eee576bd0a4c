"""What the entries of the catalogue claim, checked and shown."""
