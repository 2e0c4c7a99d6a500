"""What a league is played with where nothing else is said."""

GAMES = 60_000
SEED = 1
TUNE_BUDGET, TUNE_GAMES, TUNE_UNSEEN = 12_000_000, 12_000, 600_000
COMPARE_GAMES = 12_000_000
SHARD_TIMEOUT = 600.0  # seconds
