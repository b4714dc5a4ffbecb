"""Requests through a provider's batch interface: half the price, an answer within a day."""
