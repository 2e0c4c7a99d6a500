"""How many bid, and how many have a score: as many as there are hands, but for the games of four hands (R7, R8).

Where it cannot be otherwise the compiler is told so, and unrolls the loops over seats.
"""

from spadesim.engine.compile.cache import inline

PAIRED_HANDS = 4


@inline
def n_turns(t, r):
    """Count the seats that bid."""
    return r.players if t.dealt.shape[0] == PAIRED_HANDS else t.dealt.shape[0]


@inline
def n_scores(t, r):
    """Count the bots, each of which has a score, in the first of its rows."""
    return r.bots if t.dealt.shape[0] == PAIRED_HANDS else t.dealt.shape[0]
