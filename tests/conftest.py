"""What holds for all tests: a mask key of their own, so that none is made in the user's home."""

from __future__ import annotations

import os

os.environ.setdefault("PROBARE_MASK_KEY", "the-mask-key-of-the-tests")
