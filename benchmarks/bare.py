"""A bare asyncio loop: the same agent, two lines a trial written and hashed, nothing else.

python bare.py TRIALS CONCURRENCY SECONDS FILE
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import sys


async def main(trials: int, concurrency: int, seconds: float, path: str) -> None:
    """Run all trials with so many workers."""
    transcripts = os.open(path + ".transcripts", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    records = os.open(path + ".trials", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    numbers = iter(range(trials))

    async def work() -> None:
        for number in numbers:
            if seconds:
                await asyncio.sleep(seconds)
            line = json.dumps({"case": f"case-{number}", "trial": 0, "output": "hello"}).encode()
            digest = hashlib.sha256(line).hexdigest()
            record = {"case": f"case-{number}", "trial": 0, "status": "passed", "sha256": digest}
            os.write(transcripts, line + b"\n")
            os.write(records, json.dumps(record).encode() + b"\n")

    await asyncio.gather(*(work() for _ in range(concurrency)))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]))
