"""evaltui: the terminal editor and review desk for the eval sets of LLM agents."""

__version__ = "0.1.0"
