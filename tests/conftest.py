"""Settings for all tests: hypothesis repeats itself exactly, and uncompiled engines play only a little.

With NUMBA_DISABLE_JIT=1 the engine runs as plain Python, where a batch of lanes takes about half a second a deal; tests
marked `many_games` are left out there. Compiled code comes from the user's own cache (SPADESIM_CACHE); a test about the
cache names another folder in a process of its own.
"""

import numba
import pytest
from hypothesis import settings

settings.register_profile("spadesim", deadline=None, derandomize=True, max_examples=25, database=None)
settings.load_profile("spadesim")

WHOLE = "whole: part of the whole proof, which .ci/run plays; the short command leaves it out"
MANY_GAMES = "many_games: plays too many games for an engine that is not compiled (NUMBA_DISABLE_JIT=1)"


def pytest_configure(config):
    for marker in (WHOLE, MANY_GAMES):
        config.addinivalue_line("markers", marker)
    # pytest forgets the filters that the package sets
    for warning in ("NumbaExperimentalFeatureWarning", "NumbaIRAssumptionWarning"):
        config.addinivalue_line("filterwarnings", f"ignore::numba.core.errors.{warning}")


def pytest_collection_modifyitems(items):
    if numba.config.DISABLE_JIT:
        for item in items:
            if item.get_closest_marker("many_games"):
                item.add_marker(pytest.mark.skip(reason="too many games for an engine that is not compiled"))
