"""Inside a decision: worlds of the unseen cards, rollouts, exact endings; and redeals of a decision to bid."""
