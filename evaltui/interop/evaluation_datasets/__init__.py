"""EvaluationDatasets of the Agent Platform as a format of conversion, as agents-cli and agentplatform read them."""
