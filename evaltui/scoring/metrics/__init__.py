"""The metrics: one file for each metric that evaltui computes, and a registry of all metrics."""
