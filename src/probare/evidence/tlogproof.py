"""C2SP tlog-proofs (c2sp.org/tlog-proof): that a leaf stands in the tree of a checkpoint."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass

from probare.evidence.checkpoints import TreeHead, parse_checkpoint
from probare.evidence.merkle import HASH_SIZE, leaf_hash, root_from_inclusion
from probare.evidence.notes import Note, NoteError, canonical_base64

HEADER = "c2sp.org/tlog-proof@v1"
_MOST_HASHES = 63
_INDEX = re.compile(r"index (0|[1-9][0-9]{0,18})")


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof taken apart: the leaf's place, the path to the root, and the tree's checkpoint."""

    index: int
    path: tuple[bytes, ...]
    head: TreeHead
    note: Note

    def holds_for(self, line: bytes) -> bool:
        """Return whether the line stands at this place of the tree."""
        root = root_from_inclusion(leaf_hash(line), self.index, self.head.size, self.path)
        return root == self.head.root


def render_proof(index: int, path: Sequence[bytes], checkpoint: bytes) -> str:
    """Return the text of a proof. The checkpoint stands in it as it is stored."""
    hashes = [base64.b64encode(step).decode() for step in path]
    return "\n".join([HEADER, f"index {index}", *hashes, "", checkpoint.decode()])


def parse_proof(text: str) -> Proof:
    """Take a proof apart. Raises NoteError with what is wrong; verifies nothing.

    Extra data, which the format allows and nothing protects, is refused: Probare writes none.
    """
    before, gap, checkpoint = text.partition("\n\n")
    header, *lines = before.split("\n")
    if not gap or header != HEADER or not lines:
        raise NoteError(f"it is not a proof of the form {HEADER}")
    index = _INDEX.fullmatch(lines[0])
    if index is None:
        raise NoteError("its index is no number")
    if len(lines) - 1 > _MOST_HASHES:
        raise NoteError("its path is longer than that of any tree")
    path: list[bytes] = []
    for line in lines[1:]:
        step = canonical_base64(line)
        if step is None or len(step) != HASH_SIZE:
            raise NoteError("a step of its path is not the base64 of a SHA-256")
        path.append(step)
    head, note = parse_checkpoint(checkpoint.encode("utf-8", "surrogatepass"))
    return Proof(int(index[1]), tuple(path), head, note)
