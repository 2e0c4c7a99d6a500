"""Try settings of a bot's parameters."""
