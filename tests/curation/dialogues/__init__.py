"""The dialogue stage."""
