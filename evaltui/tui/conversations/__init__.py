"""The screen of conversations: what people and agents said to each other, to be added as cases or turns."""
