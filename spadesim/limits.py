"""How far numbers may go, and what is played where nothing else is said."""

INT64_MAX = 2**63 - 1
SEED_MAX = 2**64 - 1
GAME_MAX = 10**15
GAMES_MAX = 10**12
WORKERS_MAX = 1024
SETTINGS_MAX = 1024  # of a sweep, whose counts take 5 MB each at 60,000 games
HANDS_MAX = 100_000  # that a what-if study looks at
REDEALS_MAX = 100_000  # of each
PARAMETERS_MAX = 64  # of each type, in a compiled strategy

# What is played where nothing else is said.
GAMES = 60_000
SEED = 1
TUNE_BUDGET, TUNE_GAMES, TUNE_UNSEEN = 12_000_000, 12_000, 600_000
COMPARE_GAMES = 12_000_000
SHARD_TIMEOUT = 600.0  # seconds
WHATIF_HANDS = 1_000
WHATIF_REDEALS = 200
