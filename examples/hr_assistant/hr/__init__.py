"""The HR policy assistant; it knows nothing of tests."""
