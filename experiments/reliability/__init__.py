"""What the library promises, the tests that hold it, and the page that says so, written from a run."""
