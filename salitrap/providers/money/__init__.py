"""What calls cost: prices, spending, budget, and the estimate before a run."""
