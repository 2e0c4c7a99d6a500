"""The rules at work on a batch of lanes: dealing, bidding, tricks, scores, counts, and what a seat may see."""
