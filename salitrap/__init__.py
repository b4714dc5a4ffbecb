"""SaliTrap: build, curate, release and evaluate benchmarks of salience-bias traps."""

__version__ = "0.1.0"
