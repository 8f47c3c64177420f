"""The read model of an eval set: cases, turns and calls, in either key case and either shape."""
