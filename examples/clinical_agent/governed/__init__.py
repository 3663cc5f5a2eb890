"""A governed clinical-support agent: it asks before it acts, and shows what it did.

It knows nothing of tests. No real patient, drug label or guideline stands anywhere in it.
"""
