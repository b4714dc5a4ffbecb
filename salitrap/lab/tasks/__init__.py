"""What the simulated models can do, one task a file."""
