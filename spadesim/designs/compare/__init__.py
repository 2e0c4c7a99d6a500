"""Find out which of two bots is better."""
