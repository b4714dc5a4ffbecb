"""A Hub on this machine for tests: what the real clients need of the real one, and faults on request."""
