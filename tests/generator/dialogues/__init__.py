"""Writing dialogues."""
