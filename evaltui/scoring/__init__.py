"""Scores of expected and actual turns, each with its explanation."""
