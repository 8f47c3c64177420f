"""The commands of the command line, a module each, with a function `run` that takes the parsed options."""
