"""How far numbers may go."""

INT64_MAX = 2**63 - 1
SEED_MAX = 2**64 - 1
GAME_MAX = 10**15
GAMES_MAX = 10**12
WORKERS_MAX = 1024
SETTINGS_MAX = 1024  # of a sweep, whose counts take 5 MB each at 60,000 games
HANDS_MAX = 100_000  # that a what-if study looks at
REDEALS_MAX = 100_000  # of each
PARAMETERS_MAX = 64  # of each type, in a compiled strategy
