"""What a league is played with where nothing else is said."""

GAMES = 60_000
SEED = 1
