"""The rules of the game as one checked value, and the presets."""

from spadesim.rules.model import DEALS_MAX, FIELDS, Rules, from_values
from spadesim.rules.presets import PRESETS, as_rules, differences, read_rules

__all__ = ["DEALS_MAX", "FIELDS", "PRESETS", "Rules", "as_rules", "differences", "from_values", "read_rules"]
