"""`VERIFY.md`: how to verify a bundle without Probare, with `sha256sum` and `openssl` alone."""

from __future__ import annotations

_TEXT = """\
# How to verify this run

This folder is the sealed record of the run `{run_id}`. With Probare, which needs no network:

```
probare verify . --key probare.pub
```

`probare.pub` is the signer's public key. Take it from the signer, by a way that you trust, never
from this folder: who can change the folder can change what stands in it.

Without Probare, the same can be checked with a POSIX shell, `sha256sum` and `openssl`. Run each
block in this folder; each stops with an error, or prints what is said below it.

## 1. The files

`manifest.sha256` holds the digest of `manifest.json`, which names every other file of the record.

```sh
set -e
sha256sum -c manifest.sha256
sed -n 's/^{{"path":"\\([^"]*\\)","size":[0-9]*,"sha256":"\\([0-9a-f]*\\)".*/\\2  \\1/p' \\
  manifest.json | sha256sum -c --quiet
```

It prints `manifest.json: OK`, and names each file that is missing or was changed. It does not
name files that were added: compare `find . -type f` with the manifest.

Where the run was not signed (there is no `attestations.intoto.jsonl`), this is all there is. It
shows that the files agree with each other, and nothing about who made them.

## 2. The signatures

Set `KEY` to the signer's public key, then run the block.

```sh
set -e
: "${{KEY:?set KEY to the path of the public key of the signer}}"
work=$(mktemp -d)
for n in 1 2; do
  sed -n "${{n}}p" attestations.intoto.jsonl > "$work/envelope"
  sed 's/^{{"payload":"\\([^"]*\\)".*/\\1/' "$work/envelope" | base64 -d > "$work/payload"
  sed 's/.*"sig":"\\([^"]*\\)"}}]}}$/\\1/' "$work/envelope" | base64 -d > "$work/signature"
  size=$(($(wc -c < "$work/payload")))
  printf 'DSSEv1 28 application/vnd.in-toto+json %d ' "$size" > "$work/signed"
  cat "$work/payload" >> "$work/signed"
  openssl dgst -sha256 -verify "$KEY" -signature "$work/signature" "$work/signed"
  grep -o '{{"name":"[^"]*","digest":{{"sha256":"[0-9a-f]*"}}}}' "$work/payload" |
    sed 's/{{"name":"\\([^"]*\\)","digest":{{"sha256":"\\([0-9a-f]*\\)"}}}}/\\2  \\1/' |
    sha256sum -c
done
for log in trials transcripts; do
  sed '/^$/,$d' "$log.checkpoint" > "$work/text"
  sed -n '$s/.* //p' "$log.checkpoint" | base64 -d | tail -c +5 > "$work/signature"
  openssl dgst -sha256 -verify "$KEY" -signature "$work/signature" "$work/text"
  cat "$work/text"
done
rm -r "$work"
```

It prints `Verified OK` four times: for two attestations (DSSE envelopes, whose signature is over
`DSSEv1 <length of type> <type> <length of payload> <payload>`), each followed by an `OK` for each
file that it names, and for two checkpoints (C2SP signed notes), each followed by its three lines:
the name of the log, the number of its lines, and the base64 of the RFC 6962 Merkle root over
them. The payloads are in-toto Statements v1; the first says what was run and what was decided,
the second repeats the result for tools that know in-toto.

## What this shows, and what it does not

With the signature it shows that the holder of the private key signed exactly these bytes: plan,
suite, every transcript, every verdict, the summary and the reports.

It does not show
- when they were signed: that needs an outside witness, such as an RFC 3161 time stamp over
  `manifest.json`;
- that no other run was made and thrown away;
- that the agent, the graders or the machine were what they are said to be: the signer says so.

Whether statuses, summary and decision follow from the records is computed again by
`probare verify`; this recipe does not.
"""


def recipe(run_id: str) -> bytes:
    """Return the text of `VERIFY.md`. It is the same whether or not the run is signed."""
    return _TEXT.format(run_id=run_id).encode()
