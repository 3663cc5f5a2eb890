from __future__ import annotations

from probare.loading.prompts import examples

PROMPT = """# Prompt

## Examples

<!-- id: one -->
### First

User: hi
```
# not a heading
<!-- id: inside -->
```
Reply: hello

<!--id:two-->
Reply: bye

## After

Not an example.
"""


def test_examples_end_at_the_next_mark_or_a_heading_as_high_as_theirs() -> None:
    one, two = examples(PROMPT)
    assert (one.id, one.line) == ("one", 5)
    assert one.text.strip().startswith("### First")
    assert one.text.strip().endswith("Reply: hello")
    assert (two.id, two.line, two.text.strip()) == ("two", 15, "Reply: bye")


def test_marks_under_headings_of_their_own() -> None:
    found = examples("### A\n<!-- id: a -->\nx\n### B\nnot of a\n<!-- id: b -->\ny\n")
    assert [(example.id, example.text.strip()) for example in found] == [("a", "x"), ("b", "y")]


def test_a_digest_is_of_the_text() -> None:
    (one, two) = examples(PROMPT)
    (same, _) = examples(PROMPT.replace("\n", "\r\n").replace("hello", "hello  "))
    assert one.digest == same.digest
    changed, kept = examples(PROMPT.replace("Reply: hello", "Reply: hullo"))
    assert changed.digest != one.digest
    assert kept.digest == two.digest
    after = examples(PROMPT.replace("Not an example", "Changed"))
    assert [example.digest for example in after] == [one.digest, two.digest]
