"""EvaluationDatasets of the Agent Platform: views of their nodes, and edits."""
