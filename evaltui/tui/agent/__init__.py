"""Running the agent from the editor or the review: the command, the screen with its output, and what is asked first."""
