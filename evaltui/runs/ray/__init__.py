"""Runs on a Ray cluster: Ray Data reads recordings, and scores blocks of cases, on all its machines."""
