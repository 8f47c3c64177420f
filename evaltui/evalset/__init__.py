"""What an eval set means: cases, turns, calls, in either key case and either shape; changes as revisions."""
