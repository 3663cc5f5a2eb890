from __future__ import annotations

import os

from probare.stores import salts


def test_salts_are_128_random_bits_and_never_the_same() -> None:
    made = [salts.fresh() for _ in range(600)]
    assert len(set(made)) == 600
    assert {len(salt) for salt in made} == {32}
    assert all(int(salt, 16) >= 0 for salt in made)


def test_a_forked_process_does_not_share_the_pool() -> None:
    salts.fresh()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, salts.fresh().encode())
        os._exit(0)
    os.waitpid(child, 0)
    theirs = os.read(read, 64).decode()
    os.close(read)
    os.close(write)
    assert theirs not in {salts.fresh() for _ in range(300)}
