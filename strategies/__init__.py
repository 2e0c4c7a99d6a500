"""The strategies that come with spadesim: one family a file, and no list of them anywhere."""

STANDING_FIELD = (
    "quick+need_or_duck",
    "honors+boss",
    "honors+need_or_duck",
    "ruff_safe+boss",
    "nil_tips+boss",
    "spade_count+random_legal",
)
