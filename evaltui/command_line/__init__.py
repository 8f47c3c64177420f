"""The parser of the command line: commands with their help and options, shell completion."""
