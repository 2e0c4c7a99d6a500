"""Find out what every bid would have brought."""
