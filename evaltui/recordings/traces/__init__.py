"""Traces of agents, as Jaeger, OpenTelemetry and Tempo write them, read into conversations.

The turns are the same as in agentevals 0.11. Where it guesses, this package guesses too, and adds a warning.
"""
