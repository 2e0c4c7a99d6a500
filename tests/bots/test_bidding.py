"""What `spadesim bid` says is what the same bidder bids in a game."""

import pytest
from whole_proof import whole_but

from spadesim import cards, testing
from spadesim.bots import bidding
from spadesim.bots.registry import find_strategies
from spadesim.rules import read_rules

BIDDERS = ["quick", "honors"]  # the second asks where an empty seat is


@pytest.mark.parametrize("rules", whole_but(["cutthroat", "dummy-hand"], "cutthroat"))
@pytest.mark.parametrize("bidder", BIDDERS)
def test_a_bidder_says_what_it_bids_in_a_game(bidder, rules):
    named = read_rules(rules)
    strongest = cards.names(named.deck & cards.SPADES)[::-1][:9] + ["AH", "KH", "QH", "AD", "KD", "QD", "AC", "KC"]
    mine = " ".join(strongest[: named.cards_each])
    others = cards.names(named.deck & ~cards.parse(mine))
    dealt = [" ".join(others[i :: named.hands - 1]) for i in range(named.hands - 1)]
    bots = ["fixed:bid=3+lowest", "fixed:bid=4+lowest", f"{bidder}+lowest"]
    deal = testing.play(hands=[*dealt[:2], mine, *dealt[2:]], bots=bots, dealer=2, rules=rules)
    registry = find_strategies()
    del registry.bidder["rollout_bidder"]  # asked beside the others, it would compile all that searches
    said = bidding.ask(registry, bidder, mine, bids=(3, 4), rules=rules)
    assert deal["bids"] == [3, 4, said[0]["bid"]]
