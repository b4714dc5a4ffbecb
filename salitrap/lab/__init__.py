"""The lab: a simulated model provider behind the OpenAI-compatible interface."""
