"""The Merkle tree of RFC 6962 section 2.1 (the same in RFC 9162 section 2.1), over SHA-256.

A leaf is hashed as SHA-256(0x00 || data), an inner node as SHA-256(0x01 || left || right); the
tree over n leaves splits at the largest power of two below n. Here a leaf is a stored line
without its line feed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

HASH_SIZE = 32
EMPTY_ROOT = sha256(b"").digest()


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of a leaf."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node."""
    return sha256(b"\x01" + left + right).digest()


class TreeHasher:
    """The root over leaves that stream by, in O(log n) memory."""

    def __init__(self) -> None:
        self.size = 0
        self._peaks: list[bytes] = []

    def add(self, leaf: bytes) -> None:
        """Add the next leaf, given by its hash."""
        count = self.size
        peaks = self._peaks
        while count & 1:
            leaf = sha256(b"\x01" + peaks.pop() + leaf).digest()
            count >>= 1
        peaks.append(leaf)
        self.size += 1

    def root(self) -> bytes:
        """Return the root over the leaves so far; the hash of nothing where there is none."""
        if not self._peaks:
            return EMPTY_ROOT
        *rest, root = self._peaks
        for peak in reversed(rest):
            root = node_hash(peak, root)
        return root


def root_of(lines: Iterable[bytes]) -> bytes:
    """Return the root over the data of the leaves."""
    hasher = TreeHasher()
    for line in lines:
        hasher.add(leaf_hash(line))
    return hasher.root()


class Tree:
    """A whole tree, for proofs: 64 bytes of hashes a leaf, hashed once."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        self._levels: list[Sequence[bytes]] = [leaves]
        level = leaves
        while len(level) > 1:
            above = [node_hash(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
            if len(level) % 2:
                above.append(level[-1])
            self._levels.append(above)
            level = above

    @property
    def size(self) -> int:
        """The number of leaves."""
        return len(self._levels[0])

    def root(self) -> bytes:
        """Return the root."""
        top = self._levels[-1]
        return top[0] if top else EMPTY_ROOT

    def inclusion(self, index: int) -> list[bytes]:
        """Return PATH(index, D[n]) of RFC 6962 section 2.1.1, from the leaf's sibling upwards.

        Raises IndexError where there is no such leaf.
        """
        if not 0 <= index < self.size:
            raise IndexError(index)
        path: list[bytes] = []
        for level in self._levels[:-1]:
            sibling = index ^ 1
            if sibling < len(level):
                path.append(level[sibling])
            index >>= 1
        return path


def root_from_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """Return the root that a proof leads to (RFC 9162 section 2.1.3.2).

    `leaf` is the leaf's hash. None where the path's length does not fit the index and size;
    the leaf is included where the answer equals the tree's root.
    """
    if not 0 <= index < size:
        return None
    node, last = index, size - 1
    root = leaf
    for sibling in path:
        if last == 0:
            return None
        if node & 1 or node == last:
            root = node_hash(sibling, root)
            while not node & 1 and node:
                node >>= 1
                last >>= 1
        else:
            root = node_hash(root, sibling)
        node >>= 1
        last >>= 1
    return root if last == 0 else None
