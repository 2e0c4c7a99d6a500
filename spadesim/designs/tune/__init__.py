"""Search a bidder's best parameters."""
