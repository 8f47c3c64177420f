"""Expected beside recorded: the rows that the review, Why and the recorded column draw, and what accepts them."""
