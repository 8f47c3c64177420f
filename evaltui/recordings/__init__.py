"""Recordings of agents: traces, result files, datasets and eval sets, read and matched to cases."""
