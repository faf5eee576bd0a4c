"""What has no subject of its own: arguments, budgets, texts, and functions that become machine code."""
