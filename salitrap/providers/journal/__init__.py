"""Every call of a run, written down: keys, table, views."""
