"""The local web application: browse runs, review, adjudicate, handle incidents."""
