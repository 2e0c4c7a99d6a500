"""The bundled strategies: one family per file, and no list of them anywhere."""

STANDING_FIELD = (
    "spade_count+random_legal",
    "quick+need_or_duck",
    "stretched_chart+need_or_duck",
    "honors+plain_boss",
    "honors+boss",
    "fitted+steady",
    "nil_fitted+steady",
    "score_aware+steady",
)
