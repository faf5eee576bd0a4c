"""What more than one study needs."""
