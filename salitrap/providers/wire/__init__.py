"""Where requests go and what comes back: one file an interface, and what its failures mean."""
