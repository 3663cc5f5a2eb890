"""Frozen values: suite, case, check, event, outcome, verdict, record, score."""
