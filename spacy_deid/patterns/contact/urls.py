"""Web addresses and domains."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...registries import registry
from ..base import Hit, Recognizer, hit
from ..separated import SeparatingRecognizer
from ..tables import Forms, word_set
from ..words import words_before
from .forms import P
from .tlds import all_tlds, strong_tlds

_SCHEMES = word_set("url.schemes")
_LONGEST = 4000
_TRAILING = ".,;:!?'\"*_~&\u2026"
_PAIRS = ((")", "("), ("]", "["))
_DOMAIN_WORDS = word_set("url.domain_words")
_FILLERS = word_set("url.fillers") - _DOMAIN_WORDS
_COMMON = frozenset("com org net co".split())
_COMMON_FILES = frozenset("py md sh zip mov".split())
# What names of files end with.
_FILE_ENDINGS = word_set("tld.file")
_OPENING = "<(\"'[="
# Before a dot these are parts of a program, or of an abbreviation.
_CODE_NAMES = word_set("url.code_names")
_FORMS = Forms("url")


def find_urls(text: str) -> Iterator[Hit]:
    """Find web addresses, with or without protocol, and addresses made harmless."""
    yield from _with_scheme(text)
    yield from (h._replace(end=_trim(text, h.start, h.end)) for h in _FORMS(text))


def _with_scheme(text: str) -> Iterator[Hit]:
    done = 0
    mark = text.find("://")
    while mark >= 0:
        start = _scheme_start(text, mark, done) if mark > done else mark
        if start < mark:
            end = _trim(text, start, _body_end(text, start, mark))
            if P.url_alnum.search(text, mark + 3, end):
                scheme = text[start:mark].lower()
                known = scheme in _SCHEMES
                named = f"the protocol {scheme}" if known else "a protocol"
                score, reason = 0.98 if known else 0.8, f"web address with {named}"
                yield P.hit(start, end, "URL", score, reason)
                done = end
        mark = text.find("://", max(mark + 3, done))


def _body_end(text: str, start: int, mark: int) -> int:
    """Where the characters of an address end, or the next address begins."""
    head = P.url_head.match(text, mark)
    end = head.end() if head else mark + 3
    while end - start < _LONGEST:
        following = text.find("://", end, start + _LONGEST)
        limit = following if following >= 0 else start + _LONGEST
        rest = P.url_rest.match(text, end, limit)
        end = rest.end() if rest else end
        if end < limit or following < 0:
            break
        # In "?u=https://" and "/web/2001/https://" it is one address.
        inner = _scheme_start(text, following, end - 22 if end > 22 else 0)
        if text[inner - 1] not in "/=:?&#":
            return inner
        end = following + 3
    return end


def _scheme_start(text: str, mark: int, floor: int) -> int:
    """Where the protocol before `://` begins; `mark` if there is none."""
    if (m := P.url_scheme_back.match(text[max(floor, mark - 22) : mark][::-1])) is None:
        return mark
    word = m[0][::-1]
    if word.lower() not in _SCHEMES:
        # "seehttps://": what is written before a known protocol.
        for known in ("https", "http", "sftp", "ftp"):
            if word.lower().endswith(known):
                return mark - len(known)
    while word and not P.url_scheme.match(word):
        word = word[1:]
    start = mark - len(word)
    glued = start > floor and text[start - 1].isalnum()
    return mark if len(word) < 2 or glued else start


def _trim(text: str, start: int, end: int) -> int:
    """End of a web address without what belongs to the sentence around it."""
    if (stop := P.url_next.search(text, start + 4, end)) is not None:
        end = stop.start()
    while True:
        last = end
        while end > start and text[end - 1] in _TRAILING:
            end -= 1
        if text[end - 2 : end] == "'s":
            end -= 2
        for close, open_ in _PAIRS:
            if text[end - 1] == close:
                value = text[start:end]
                if value.count(close) > value.count(open_):
                    end -= 1
            elif text[end - 1] == open_:
                end -= 1
        if end == last or end <= start:
            return end


def find_domains(text: str) -> Iterator[Hit]:
    """Find domains, and web addresses that lack the protocol."""
    tlds = all_tlds()
    for m in P.url_domain.finditer(text):
        if m["tld"].lower() in tlds and (found := _domain(text, m)) is not None:
            yield found
    bracket = "[" in text or "(" in text
    for cue in P.url_defanged_cue.finditer(text) if bracket else ():
        if (m2 := _defanged(text, cue.start())) is not None and m2["tld"] in tlds:
            end = _trim(text, m2.start(), m2.end())
            kind = "URL" if m2["path"] else "DOMAIN"
            reason = "domain written so that it can't be clicked"
            yield P.hit(m2.start(), end, kind, 0.85, reason)


def _defanged(text: str, cue: int) -> re.Match[str] | None:
    start, low = cue, max(0, cue - 64)
    while start > low and (text[start - 1].isalnum() or text[start - 1] in ".-"):
        start -= 1
    return P.url_defanged_host.match(text, start) if start < cue else None


def _domain(text: str, m: re.Match[str]) -> Hit | None:
    tld, path = m["tld"], m["path"] or ""
    back = P.url_labels_back.match(text[max(0, m.start() - 200) : m.start()][::-1])
    if back is None:
        return None
    start = m.start() - back.end()
    name = back[0][::-1]
    # Behind "=" stands a value.
    if start and text[start - 1] in "@/\\.-_'$#%~":
        return None
    labels = name.split(".")
    if any(len(label) > 63 for label in labels) or not any(c.isalpha() for c in name):
        return None
    end = _trim(text, start, m.end())
    if not re.search(r"[/?#].", path):
        # A port or a slash alone makes no address of a page.
        path, end = "", m.end("tld")
    score, reason = _judge_domain(text, start, m.end("tld"), labels, tld, path)
    if score < 0.5:
        return None
    if path:
        reason = f"web address without protocol, {reason}"
    return hit(start, end, "CODE", "URL" if path else "DOMAIN", score, reason=reason)


def _judge_domain(
    text: str, start: int, end: int, labels: list[str], tld: str, path: str
) -> tuple[float, str]:
    """Confidence that labels before a known top-level domain are a host, and why."""
    low = tld.lower()
    if not _written_as_host(labels, tld):
        return 0.0, ""
    introduced = _introduced(text, start)
    named = introduced or P.url_domain_after.match(text, end) is not None
    note = "; beside a word for web sites" if named else ""
    strong = low in strong_tlds()
    if path and ("/" in path or "?" in path) and low not in _FILE_ENDINGS:
        return (0.93 if strong else 0.85), f"with a public top-level domain{note}"
    if labels[0].lower() in _CODE_NAMES and low not in _COMMON:
        return 0.0, ""
    reason = f"public top-level domain{note}"
    if strong:
        return _judge_strong(labels[-1], tld, named), reason
    odd = "-" in labels[-1] or any(map(str.isdigit, labels[-1]))
    if low in _FILE_ENDINGS:
        # "manual.md" is a file, unless somebody says otherwise.
        bracket = text[start - 1 : start] in tuple(_OPENING)
        good = introduced and not bracket and low not in _COMMON_FILES
        good = (named and not bracket) if odd else good
        return (0.6 if good and len(labels[-1]) > 2 else 0.0), reason
    if not tld.islower() or labels[-1][0].isupper():
        return (0.6 if named and tld.islower() else 0.0), reason
    reason = f"top-level domain that is also a word{note}"
    if named or odd or len(labels) > 1:
        return (0.7 if len(labels[-1]) > 1 else 0.0), reason
    # "good.it was": a missing blank. At the end of a sentence a host is likelier.
    goes_on = P.url_word_follows.match(text, end) is not None
    if len(low) == 2 and len(labels[-1]) > 3 and not goes_on:
        return 0.55, f"{reason}; at the end of a sentence"
    return 0.0, ""


def _judge_strong(last: str, tld: str, named: bool) -> float:
    """Confidence in a name before a top-level domain that is no word."""
    if len(last) == 1 and tld.lower() not in _COMMON and not named:
        return 0.0
    if last[0].isupper() and not tld.isupper() and tld.lower() not in _COMMON:
        return 0.7 if named else 0.0
    return 0.9 if named else 0.8


def _introduced(text: str, start: int) -> bool:
    """Whether a word or sign before an offset announces a web site."""
    if text[start - 1 : start] in tuple(_OPENING):
        return True
    words = words_before(text, start, 3, 30)
    return next((w for w in words if w not in _FILLERS), "") in _DOMAIN_WORDS


def _written_as_host(labels: list[str], tld: str) -> bool:
    """Whether the case of the letters speaks for a host, not a missing blank."""
    if tld.islower() or not tld.isascii():
        return True
    name = "".join(labels)
    if tld.isupper():
        return name.isupper() or not any(c.isalpha() for c in name)
    return tld.lower() in ("com", "net", "org") and name[0].isupper()


@registry.deid_patterns("spacy_deid.url_patterns.v1")
def make_url_patterns(domains: bool = True) -> Recognizer:
    """Web addresses and domains.

    domains (bool): Whether to find domains, and addresses without protocol.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """
    return SeparatingRecognizer(find_urls, *([find_domains] if domains else []))
