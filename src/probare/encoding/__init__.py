"""JSON as bytes, strict decoding, and digests."""
