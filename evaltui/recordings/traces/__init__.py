"""Traces of agents, as Jaeger, OpenTelemetry and Tempo write them, read into conversations.

The turns are those that agentevals 0.11 finds; where it guesses, so does this, and says so.
"""
