"""Evidence: seals over run directories, and what anyone can verify of them offline."""
