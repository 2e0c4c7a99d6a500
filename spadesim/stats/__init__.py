"""The mathematics: ratio estimates, groups of blocks, sequential tests, ratings."""
