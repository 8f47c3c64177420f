"""Running the agent from the editor or the review: the questions before it, the command, and the screen with its output."""
