"""Running the agent from the editor or the review: the questions before, the command, and the screen of its output."""
