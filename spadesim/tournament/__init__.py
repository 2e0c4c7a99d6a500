"""A job cut into shards: who plays them, what is counted, when to stop."""
