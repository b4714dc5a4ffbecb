"""Tests of the room `curation`."""
