"""What de-identified text is still good for: models that learn from it, tried on originals."""
