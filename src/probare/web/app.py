"""The application: pages behind the door."""

from __future__ import annotations

from typing import TYPE_CHECKING

from probare.errors import MissingExtra
from probare.web.asking import endpoint
from probare.web.doors import Door
from probare.web.pages import PAGES
from probare.web.site import Site

if TYPE_CHECKING:
    from starlette.applications import Starlette


def create_app(site: Site) -> Starlette:
    """Return the application that serves a site. Raises MissingExtra."""
    try:
        from starlette.applications import Starlette
        from starlette.middleware import Middleware
        from starlette.routing import Route
    except ImportError as error:
        raise MissingExtra("starlette", "web") from error
    routes = [
        Route(page.path, endpoint(site, page.needs, page.handler), methods=[page.method])
        for page in PAGES
    ]
    return Starlette(routes=routes, middleware=[Middleware(Door, site.doors)])
