"""The review of a run: turns to look at, the changes that accept what the agent did, and decisions about them."""
