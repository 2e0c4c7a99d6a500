"""The deal-and-play loop: lanes of games in lock step, compiled. The only place that knows Numba."""
