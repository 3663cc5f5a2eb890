"""Running trials: concurrency, deadlines, retries, limits, threads that may hang."""
