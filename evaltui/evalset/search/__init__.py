"""Search in the cases of a set: filter, jump, find and replace."""
