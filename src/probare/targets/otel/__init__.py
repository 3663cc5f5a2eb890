"""Agents that emit OpenTelemetry spans: the spans of a trial, made into its events."""
