"""Evaluations of CX Agent Studio (`google.cloud.ces_v1beta.types.Evaluation`) as a format of conversion."""
