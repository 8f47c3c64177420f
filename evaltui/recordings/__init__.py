"""What an agent really did, read from traces and result files, and matched to cases."""
