"""EvaluationDatasets of the Agent Platform: what their nodes are, and edits of them."""
