"""Play every trio of bots, or as many as the rules seat."""
