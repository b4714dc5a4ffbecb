"""Playing dialogues."""
