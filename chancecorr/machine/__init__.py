"""General code without statistics: arguments, budgets, texts, and compiling of kernels."""
