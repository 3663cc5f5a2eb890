"""What holds for all tests: a mask key of their own, so that none is made in the user's home, and
an authority that stamps the time.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

os.environ.setdefault("PROBARE_MASK_KEY", "the-mask-key-of-the-tests")

CONFIG = """
[req]
distinguished_name = name
prompt = no
[name]
CN = Test authority
[root]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign
[signer]
basicConstraints = critical,CA:false
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
[tsa]
default_tsa = one
[one]
serial = {folder}/serial
signer_cert = {folder}/signer.pem
signer_key = {folder}/signer.key
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
ess_cert_id_alg = sha256
"""


class Authority:
    """An authority for time stamps, with a root of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "openssl.cnf").write_text(CONFIG.format(folder=folder))
        (folder / "serial").write_text("01\n")
        key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        named = ["-config", "openssl.cnf"]
        self._openssl(
            "req", "-x509", *key, *named, "-extensions", "root", "-subj", "/CN=Test root",
            "-keyout", "root.key", "-out", "root.pem", "-days", "10",
        )  # fmt: skip
        self._openssl("req", *key, *named, "-keyout", "signer.key", "-out", "signer.csr")
        self._openssl(
            "x509", "-req", "-in", "signer.csr", "-CA", "root.pem", "-CAkey", "root.key",
            "-CAcreateserial", "-extfile", "openssl.cnf", "-extensions", "signer",
            "-out", "signer.pem", "-days", "10",
        )  # fmt: skip
        self.root = (folder / "root.pem").read_bytes()

    def answer(self, request: bytes) -> bytes:
        (self.folder / "q.tsq").write_bytes(request)
        self._openssl(
            "ts", "-reply", "-queryfile", "q.tsq", "-config", "openssl.cnf", "-section", "one",
            "-out", "a.tsr",
        )  # fmt: skip
        return (self.folder / "a.tsr").read_bytes()

    def _openssl(self, *arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)


@pytest.fixture(scope="session")
def make_authority(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Authority]:
    """Make an authority of openssl's: `answer(request)`, and its `root` certificate."""
    return lambda: Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="session")
def authority(make_authority: Callable[[], Authority]) -> Authority:
    """One authority for all tests."""
    return make_authority()
