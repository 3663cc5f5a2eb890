"""Postings over real HTTP on this machine: found, cached, retried, gone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from probare.grading import usercode
from probare.testing.servers import Reply, serving

FOLDER = Path(__file__).parent
Fetcher = usercode.load("tailor.fetcher:Fetcher", FOLDER)
FetchError = usercode.load("tailor.fetcher:FetchError", FOLDER)
PostingGone = usercode.load("tailor.fetcher:PostingGone", FOLDER)
find_urls = usercode.load("tailor.fetcher:find_urls", FOLDER)
posting_in = usercode.load("tailor.page:posting_in", FOLDER)
readable = usercode.load("tailor.page:readable", FOLDER)

PAGE = Reply.text("<main><h1>Engineer</h1><ul><li>Go</li></ul></main>", "text/html")


def fetcher(cache: Path | None = None, **more: Any) -> Any:
    return Fetcher(cache, first_wait=0.001, longest_wait=0.01, **more)


def marked_up(block: str) -> Any:
    return posting_in(
        f'<script type="application/ld+json">{block}</script><main><p>Only the page.</p></main>'
    )


def test_a_posting_is_fetched_once_and_then_kept(tmp_path: Path) -> None:
    with serving(PAGE) as server:
        first = fetcher(tmp_path).fetch(server.url)
        second = fetcher(tmp_path).fetch(server.url)
    assert (first.cache, second.cache) == ("miss", "hit")
    assert first.posting == second.posting
    assert second.posting.text == "Engineer\n- Go"
    assert len(server.requests) == 1


def test_a_cached_posting_needs_no_server(tmp_path: Path) -> None:
    with serving(PAGE) as server:
        fetcher(tmp_path).fetch(server.url)
    assert fetcher(tmp_path).fetch(server.url).cache == "hit"


@pytest.mark.parametrize("damaged", ["", "{", "[]", '{"strange": 1}', "null"])
def test_a_damaged_cache_is_fetched_again(damaged: str, tmp_path: Path) -> None:
    with serving(PAGE) as server:
        fetcher(tmp_path).fetch(server.url)
        [kept] = tmp_path.iterdir()
        kept.write_text(damaged)
        assert fetcher(tmp_path).fetch(server.url).cache == "miss"
        assert fetcher(tmp_path).fetch(server.url).cache == "hit"


def test_a_busy_site_is_asked_again_and_each_try_is_told() -> None:
    told: list[tuple[int, str | None]] = []
    busy = Reply(status=503)
    with serving(busy, Reply(status=429, headers={"Retry-After": "0"}), PAGE) as server:
        fetched = fetcher(on_attempt=lambda n, error: told.append((n, error))).fetch(server.url)
    assert fetched.posting.title == "Engineer"
    assert [number for number, _ in told] == [1, 2, 3]
    assert ["503" in str(told[0][1]), "429" in str(told[1][1]), told[2][1]] == [True, True, None]


def test_a_site_that_stays_busy_is_given_up_on() -> None:
    with serving(Reply(status=500)) as server, pytest.raises(FetchError, match="500") as caught:
        fetcher(attempts=3).fetch(server.url)
    assert len(server.requests) == 3
    assert not isinstance(caught.value, PostingGone)


@pytest.mark.parametrize("status", [404, 410])
def test_a_posting_that_is_gone_is_asked_for_once(status: int, tmp_path: Path) -> None:
    with serving(Reply(status=status)) as server, pytest.raises(PostingGone) as caught:
        fetcher(tmp_path).fetch(server.url)
    assert str(caught.value) == f"the posting is gone: {server.url} answered {status}"
    assert (len(server.requests), caught.value.status) == (1, status)
    assert list(tmp_path.iterdir()) == []


def test_busy_and_then_gone_is_gone() -> None:
    with serving(Reply(status=503), Reply(status=404)) as server, pytest.raises(PostingGone):
        fetcher().fetch(server.url)
    assert len(server.requests) == 2


@pytest.mark.parametrize("status", [400, 401, 403, 451])
def test_other_refusals_are_final(status: int) -> None:
    with serving(Reply(status=status)) as server, pytest.raises(FetchError, match=str(status)):
        fetcher().fetch(server.url)
    assert len(server.requests) == 1


def test_a_lost_connection_is_tried_again() -> None:
    with serving(Reply.text("<p>half", "text/html", ends="cut"), PAGE) as server:
        assert fetcher().fetch(server.url).posting.title == "Engineer"
    with pytest.raises(FetchError, match="could not be reached"):
        fetcher(attempts=2).fetch(server.url)


def test_redirects_are_followed_and_a_circle_is_an_error() -> None:
    with serving(Reply(status=302, headers={"Location": "/there"}), PAGE) as server:
        assert fetcher().fetch(server.url).posting.url == f"{server.url}there"
    circle = Reply(status=302, headers={"Location": "/"})
    with serving(circle) as server, pytest.raises(FetchError, match="could not be fetched"):
        fetcher().fetch(server.url)


def test_pages_that_cannot_be_postings_are_refused() -> None:
    for reply, said in (
        (Reply.text("<script>1</script>", "text/html"), "no text"),
        (Reply.text(b"x" * 5_000_001, "text/html"), "larger than"),
    ):
        with serving(reply) as server, pytest.raises(FetchError, match=said):
            fetcher().fetch(server.url)
    for url in ("file:///etc/passwd", "ftp://a.example/", "jobs"):
        with pytest.raises(FetchError, match="not a web address"):
            fetcher().fetch(url)


def test_plain_text_and_other_encodings() -> None:
    with serving(Reply.text("Role\n- Go", "text/plain")) as server:
        assert fetcher().fetch(server.url).posting.text == "Role\n- Go"
    latin = "<p>Zürich</p>".encode("latin-1")
    with serving(Reply.text(latin, "text/html; charset=iso-8859-1")) as server:
        assert fetcher().fetch(server.url).posting.text == "Zürich"


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("see https://a.example/jobs/1.", ("https://a.example/jobs/1",)),
        ("(https://a.example/x?a=1&b=2)!", ("https://a.example/x?a=1&b=2",)),
        ("[job](https://a.example/x), please", ("https://a.example/x",)),
        ("<https://a.example/x>", ("https://a.example/x",)),
        ("https://a.example/wiki/Go_(game) is", ("https://a.example/wiki/Go_(game)",)),
        ("HTTP://A.example/x and http://b.example", ("HTTP://A.example/x", "http://b.example")),
        ("https://a.example/x https://a.example/x.", ("https://a.example/x",)),
        ("https://... and example.com", ()),
        ("nothing", ()),
    ],
)
def test_addresses_in_a_text(text: str, urls: tuple[str, ...]) -> None:
    assert find_urls(text) == urls


JOB = '{"@type": "JobPosting", "title": "Engineer", "description": "<p>Go</p>"}'


@pytest.mark.parametrize(
    "block",
    [
        JOB,
        f"[{{}}, 1, {JOB}]",
        f'{{"@graph": [{{"@type": "WebSite"}}, {JOB}]}}',
        f'{{"@type": "WebPage", "mainEntity": {JOB}}}',
        JOB.replace('"JobPosting"', '["Thing", "https://schema.org/JobPosting"]'),
        f"<!-- {JOB} -->",
        JOB.replace("<p>", "&lt;p&gt;").replace("</p>", "&lt;/p&gt;"),
        JOB.replace("<p>Go</p>", "<p>\nGo</p>"),
    ],
    ids=["object", "list", "graph", "nested", "types", "commented", "escaped", "line feed"],
)
def test_marked_up_postings(block: str) -> None:
    posting = marked_up(block)
    assert (posting.source, posting.title, posting.text) == ("json-ld", "Engineer", "Go")


@pytest.mark.parametrize(
    "block",
    ["", "{", "null", "[" * 5000, '{"@type": "JobPosting"}', '{"@type": 7, "a": [null]}'],
)
def test_what_is_no_marked_up_posting_leaves_the_page(block: str) -> None:
    posting = marked_up(block)
    assert (posting.source, posting.text) == ("page", "Only the page.")


def test_a_broken_block_does_not_hide_a_good_one() -> None:
    script = '<script type="application/ld+json">{}</script>'
    page = script.format("{oops") + script.format(JOB)
    assert posting_in(page).source == "json-ld"


def test_odd_fields_are_read_where_they_can_be() -> None:
    posting = marked_up(
        '{"@type": "JobPosting", "title": 7, "description": ["x"], "skills": ["Go", {"name": "C"}],'
        ' "hiringOrganization": "Acme", "jobLocation": [{"address": "Oslo"}],'
        ' "qualifications": "One; Two"}'
    )
    assert (posting.title, posting.company, posting.location) == ("", "Acme", "Oslo")
    assert posting.text == "Requirements\n- One\n- Two\nRequirements\n- Go\n- C"


def test_readable_text_keeps_lists_and_drops_the_frame() -> None:
    page = (
        "<body><nav>Menu</nav><div>One<br>two <b>bold</b></div><h2>Head</h2>"
        "<ul><li><p>First</p></li><li>Second <a href='#'>link</a></li></ul>"
        "<style>p{}</style><footer>Cookies</footer></body>"
    )
    assert readable(page) == "One\ntwo bold\nHead\n- First\n- Second link"
