"""Every address of the site, what it needs, and who answers."""

from __future__ import annotations

from typing import Literal, NamedTuple

from probare.web import agreeing, assets, browsing, entering, incidents, queueing, reviewing
from probare.web.asking import Handler, Needs


class Page(NamedTuple):
    """An address, with what whoever asks must be allowed to do."""

    method: Literal["GET", "POST"]
    path: str
    needs: Needs
    handler: Handler


PAGES: tuple[Page, ...] = (
    Page("GET", "/static/{name}", "anybody", assets.asset),
    Page("GET", "/login", "anybody", entering.ask_login),
    Page("POST", "/login", "a_form", entering.login),
    Page("GET", "/who", "anybody", entering.ask_name),
    Page("POST", "/who", "a_form", entering.say_name),
    Page("POST", "/logout", "read", entering.logout),
    Page("GET", "/token", "read", entering.token),
    Page("GET", "/", "read", browsing.runs),
    Page("GET", "/runs/{run}", "read", browsing.run),
    Page("GET", "/runs/{run}/case", "read", browsing.case),
    Page("GET", "/runs/{run}/seal", "read", browsing.seal),
    Page("GET", "/compare", "read", browsing.compare),
    Page("GET", "/agreement", "read", agreeing.agree),
    Page("GET", "/queue", "read", queueing.queue),
    Page("POST", "/next", "review", reviewing.next_item),
    Page("GET", "/items/{item}", "read", queueing.item),
    Page("POST", "/items/{item}/claim", "review", reviewing.claim),
    Page("POST", "/items/{item}/assign", "assign", queueing.assign),
    Page("POST", "/items/{item}/release", "review", queueing.release),
    Page("POST", "/items/{item}/unblind", "unblind", queueing.unblind),
    Page("GET", "/items/{item}/review", "review", reviewing.review),
    Page("POST", "/items/{item}/draft", "review", reviewing.save),
    Page("POST", "/items/{item}/discard", "review", reviewing.discard),
    Page("POST", "/items/{item}/submit", "review", reviewing.submit),
    Page("GET", "/items/{item}/submitted", "review", reviewing.submitted),
    Page("GET", "/incidents", "read", incidents.incidents),
    Page("GET", "/incidents/{incident}", "read", incidents.incident),
    Page("POST", "/incidents/{incident}/read", "handle_incidents", incidents.read),
    Page("POST", "/incidents/{incident}", "handle_incidents", incidents.change),
    Page("GET", "/incidents/{incident}/incident.md", "read", incidents.as_markdown),
    Page("GET", "/incidents/{incident}/incident.json", "read", incidents.as_json_file),
)
