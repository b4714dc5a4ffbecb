"""Labels out and back."""
