"""How fast, how long and how often a call is tried."""
