"""Targets of links: addresses of people, of pages, and what leads elsewhere."""

from __future__ import annotations

from urllib.parse import unquote

from .pieces import Piece

# What a scheme's address is of.
_TYPED = {"mailto:": ("CODE", "EMAIL"), "tel:": ("CODE", "PHONE")}
_TYPED |= {"sms:": _TYPED["tel:"], "callto:": _TYPED["tel:"]}
_WEB = ("http:", "https:", "ftp:", "//")


def without_link(target: str) -> str:
    """What a target is that no output may have; "" for the others."""
    if (scheme := target.strip().lower()).startswith("data:"):
        return "pictures"
    head = scheme.partition(":")[0]
    inside = ":" not in scheme or not head.replace("+", "").isalnum()
    return "" if inside or is_web_link(target) else "links to files and programs"


def is_web_link(target: str) -> bool:
    """Whether a target is a page, or an address of somebody."""
    return target.strip().lower().startswith((*_WEB, *_TYPED))


def link_piece(target: str) -> tuple[str, Piece | None]:
    """The scheme of a target if it says what the target is, and its text.

    RETURNS (tuple): No text for a place in the same page and the like. Subject and body
        of a mail, text that nobody sees, are left out.
    """
    target = target.strip()
    if (scheme := target.partition(":")[0].lower() + ":") in _TYPED:
        address = unquote(target[len(scheme) :].partition("?")[0])
        piece = Piece(address, "\n\n", True, *_TYPED[scheme])
        return scheme, piece if address else None
    # One within the page is a name, and no text.
    if target.startswith("#") or set(target) <= set("/."):
        return "", None
    return "", Piece(target, "\n\n", True)
