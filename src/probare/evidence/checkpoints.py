"""C2SP tlog-checkpoints (c2sp.org/tlog-checkpoint): a tree's size and root, as a signed note.

The origin, `probare.dev/run/<run id>/<file>`, names the run and the file; it is also the name
of the key in the signature line, as the specification recommends. It is a name, not an address.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass

from probare.evidence import merkle, names
from probare.evidence.keys import SigningKey
from probare.evidence.notes import Note, NoteError, canonical_base64, parse_note, sign_note

_ORIGIN = re.compile(r"probare\.dev/run/([^/]+)/([^/]+)")
_SIZE = re.compile(r"0|[1-9][0-9]{0,18}")


@dataclass(frozen=True, slots=True)
class TreeHead:
    """Which file of which run, the number of its lines, and the root over them."""

    run_id: str
    file: str
    size: int
    root: bytes

    @property
    def origin(self) -> str:
        """The checkpoint's first line."""
        return f"probare.dev/run/{self.run_id}/{self.file}"

    def text(self) -> str:
        """Return the note's text."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


def sign_checkpoint(head: TreeHead, key: SigningKey) -> bytes:
    """Return the signed checkpoint, as it is stored."""
    return sign_note(head.text(), head.origin, key).encode()


def unsigned_checkpoint(head: TreeHead) -> bytes:
    """Return the checkpoint's text without a signature, as excerpts of unsigned runs carry it."""
    return f"{head.text()}\n".encode()


def parse_checkpoint(data: bytes) -> tuple[TreeHead, Note]:
    """Take a checkpoint apart. Raises NoteError with what is wrong; verifies no signature.

    Extension lines are refused: Probare writes none.
    """
    note = parse_note(data)
    lines = note.text.split("\n")[:-1]
    if len(lines) != 3:
        raise NoteError("a checkpoint has three lines: origin, size, root")
    origin = _ORIGIN.fullmatch(lines[0])
    if origin is None or not names.is_run_id(origin[1]):
        raise NoteError("its origin names no run of Probare")
    if not _SIZE.fullmatch(lines[1]):
        raise NoteError("its size is no number")
    root = canonical_base64(lines[2])
    if root is None or len(root) != merkle.HASH_SIZE:
        raise NoteError("its root is not the base64 of a SHA-256")
    return TreeHead(origin[1], origin[2], int(lines[1]), root), note
