"""The screen of conversations between users and agents, from which cases and turns are added."""
