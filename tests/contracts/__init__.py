"""What holds for every kind, model, method and room."""
