"""The tree against Certificate Transparency's reference vectors and a plain recursion."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probare.evidence.merkle import (
    EMPTY_ROOT,
    Tree,
    TreeHasher,
    leaf_hash,
    node_hash,
    root_from_inclusion,
    root_of,
)

# the eight leaves and the roots of google/certificate-transparency's merkletree tests
LEAVES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
# (leaf from 1, tree size, path), from the same tests
PATHS: list[tuple[int, int, list[str]]] = [
    (1, 1, []),
    (
        1,
        8,
        [
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ],
    ),
    (
        6,
        8,
        [
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ],
    ),
    (3, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]),
    (
        2,
        5,
        [
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        ],
    ),
]


@pytest.mark.parametrize("size", range(1, 9))
def test_the_reference_roots(size: int) -> None:
    assert root_of(LEAVES[:size]).hex() == ROOTS[size - 1]
    assert Tree([leaf_hash(leaf) for leaf in LEAVES[:size]]).root().hex() == ROOTS[size - 1]


def test_the_empty_tree_is_the_hash_of_nothing() -> None:
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert EMPTY_ROOT.hex() == root_of([]).hex() == Tree([]).root().hex() == empty


@pytest.mark.parametrize(("leaf", "size", "path"), PATHS)
def test_the_reference_paths(leaf: int, size: int, path: list[str]) -> None:
    tree = Tree([leaf_hash(data) for data in LEAVES[:size]])
    assert [step.hex() for step in tree.inclusion(leaf - 1)] == path
    steps = [bytes.fromhex(step) for step in path]
    root = root_from_inclusion(leaf_hash(LEAVES[leaf - 1]), leaf - 1, size, steps)
    assert root is not None
    assert root.hex() == ROOTS[size - 1]


def _recursive(leaves: list[bytes]) -> bytes:
    """MTH of RFC 6962 section 2.1, word for word."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaf_hash(leaves[0])
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return node_hash(_recursive(leaves[:split]), _recursive(leaves[split:]))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.binary(max_size=6), max_size=70))
def test_streaming_and_whole_trees_are_the_recursion_of_the_rfc(lines: list[bytes]) -> None:
    expected = _recursive(lines)
    hasher = TreeHasher()
    for line in lines:
        hasher.add(leaf_hash(line))
    assert hasher.size == len(lines)
    assert hasher.root() == expected
    assert Tree([leaf_hash(line) for line in lines]).root() == expected


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 70), st.data())
def test_a_proof_holds_for_its_leaf_and_no_other(size: int, data: st.DataObject) -> None:
    lines = [b"%d" % i for i in range(size)]
    tree = Tree([leaf_hash(line) for line in lines])
    index = data.draw(st.integers(0, size - 1))
    path = tree.inclusion(index)
    assert root_from_inclusion(leaf_hash(lines[index]), index, size, path) == tree.root()
    assert root_from_inclusion(leaf_hash(b"other"), index, size, path) != tree.root()
    for wrong in range(size):
        if wrong != index:
            found = root_from_inclusion(leaf_hash(lines[index]), wrong, size, path)
            assert found != tree.root()
    assert root_from_inclusion(leaf_hash(lines[index]), index, size, [*path, b"0" * 32]) is None
    if path:
        assert root_from_inclusion(leaf_hash(lines[index]), index, size, path[:-1]) is None


@pytest.mark.parametrize("index", [-1, 3])
def test_no_proof_of_a_leaf_that_is_not_there(index: int) -> None:
    with pytest.raises(IndexError):
        Tree([leaf_hash(b"a")] * 3).inclusion(index)
    assert root_from_inclusion(leaf_hash(b"a"), index, 3, []) is None
