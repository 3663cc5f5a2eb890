"""The review desk: the queue, reviews, incidents, accounts, and the log that keeps them."""
