"""Placeholders, text normalisation, compiled checks, polarity, statuses."""
