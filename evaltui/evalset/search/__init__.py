"""Search in the cases of an eval set: filter, jump, find and replace."""
