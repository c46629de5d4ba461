"""Web pages: the text of .html files, with everything else left as it is byte by byte."""

from __future__ import annotations

import codecs
import html
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from html.parser import HTMLParser
from itertools import accumulate

from ..data import facts, word_lists
from ..text.offsets import splice
from .leaks import check_rest, masked_pattern
from .links import link_piece, without_link
from .pieces import DocumentError, Edit, Piece, Tools, notes_of

_BOMS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
# The names that browsers read as another encoding.
_READ_AS = {"iso-8859-1": "cp1252", "latin-1": "cp1252", "us-ascii": "cp1252"}
_HEAD = 4096
# Elements and attributes by what they are; see the table.
_WORDS = word_lists("html_words")
_CELLS = frozenset(_WORDS["cells"])
_LINES = frozenset(_WORDS["lines"])
_WIDE = frozenset(_WORDS["wide"])
# Elements that are left out with all that is in them.
_LEFT_OUT = facts("left_out")["web"]
_VOID = frozenset(_WORDS["void"])
_KEPT_META = frozenset(_WORDS["kept meta"])
# Attributes that a reader sees or hears, and those that are addresses.
_SHOWN = frozenset(_WORDS["shown"])
_LINKS = frozenset(_WORDS["links"])
_NAMES = frozenset(_WORDS["names"])
# Attributes that programs read: they may hold anything.
_DROPPED = re.compile(
    r"data-|on|srcdoc$|srcset$|ping$|item|rev$|author|datetime$|content$|property$|resource$|typeof$|about$"
)
# What stands in place of something masked in names of classes and styles.
_HIDDEN = "x"
# Where a word may be broken: within it for who reads it, too.
_UNSEEN = ("\xad", "\u200b", "\u2060")
_NAME = re.compile(r"[a-z][a-z0-9:-]*")
_SPACE = re.compile(r"[ \t\n\r\f]+")
Attrs = dict[str, str | None]


class HtmlDocument:
    """A page. Comments, scripts, what is embedded and data for programs are left out.

    data (bytes): The file.
    keep_images (bool): Keep pictures that are in the page itself.
    RAISES (DocumentError): If its encoding is not what it says.
    """

    def __init__(self, data: bytes, keep_images: bool = False) -> None:
        self.bom, self.encoding, self.source = _decode(data)
        reader = _read(self.source, keep_images)
        self.slots, self.cuts = reader.slots, reader.cuts
        self.tags, self.styles = reader.tags, reader.styles
        self.pieces = [slot.piece() for slot in self.slots]
        self.counts = reader.counts
        self.notes = notes_of(self.counts)

    def write(self, edits: Sequence[Sequence[Edit]], tools: Tools) -> bytes:
        """The page with other text."""
        changes = [*self.cuts]
        for slot, own in zip(self.slots, edits, strict=True):
            changes += slot.changes(own)
        pattern = masked_pattern(tools.masked)
        loose = masked_pattern(tools.masked, loose=True)
        for tag in self.tags:
            if pattern and loose:
                tag.hide(pattern, loose)
            if tag.attrs != tag.before:
                changes.append((tag.start, tag.end, tag.text()))
        if pattern:
            for start, style in self.styles:
                places = (m.span() for m in pattern.finditer(style))
                changes += [(start + a, start + b, _HIDDEN) for a, b in places]
        new = splice(self.source, sorted(changes))
        check_rest(_rest(new), tools.masked)
        return self.bom + new.encode(self.encoding, "xmlcharrefreplace")


def _rest(source: str) -> Iterator[str]:
    """What is in a page besides the texts that are read."""
    page = _read(source, True)
    texts = [(a, b, "") for slot in page.slots for a, b in {*slot.places}]
    tags = [(tag.start, tag.end, "") for tag in page.tags]
    yield splice(source, sorted(texts + tags))
    for tag in page.tags:
        yield from tag.others()


def _read(source: str, keep_images: bool) -> _Reader:
    reader = _Reader(source, keep_images)
    reader.feed(source)
    reader.close()
    reader.finish()
    return reader


def _decode(data: bytes) -> tuple[bytes, str, str]:
    bom = next(filter(data.startswith, _BOMS), b"")
    encoding = _BOMS.get(bom, "")
    if not bom:
        named = _CHARSET.search(data[:_HEAD])
        encoding = named[1].decode("ascii").lower() if named else "utf-8"
        encoding = _READ_AS.get(encoding, encoding)
    try:
        return bom, encoding, data[len(bom) :].decode(encoding)
    except LookupError:
        raise DocumentError(f"its encoding '{encoding}' is not known") from None
    except UnicodeDecodeError as error:
        where = f"at byte {error.start + len(bom)}"
        raise DocumentError(f"it is not {encoding}, as it says, {where}") from None


class _TextSlot:
    """A stretch of text between tags: its characters as they are read, and where each
    comes from."""

    def __init__(self, before: str, hard: bool) -> None:
        self.before, self.hard = before, hard
        self.chars: list[str] = []
        self.places: list[tuple[int, int]] = []

    def add(self, text: str, start: int, end: int) -> None:
        """Add what stands in the source from start to end."""
        self.chars += text
        self.places += [(start, end)] * len(text)

    def piece(self) -> Piece:
        return Piece("".join(self.chars), self.before, self.hard)

    def changes(self, edits: Sequence[Edit]) -> Iterator[tuple[int, int, str]]:
        chars, places = self.chars, self.places
        for a, b, new in edits:
            # What is written as one entity goes as one.
            while 0 < a < b and places[a - 1] == places[a]:
                a, new = a - 1, chars[a - 1] + new
            while a < b < len(places) and places[b - 1] == places[b]:
                b, new = b + 1, new + chars[b]
            start = places[a][0] if a < len(places) else places[-1][1]
            end = places[b - 1][1] if a < b else start
            yield start, end, html.escape(new, quote=False)


class _Tag:
    """A start tag in the source."""

    def __init__(self, name: str, attrs: Attrs, start: int, source: str) -> None:
        self.name, self.attrs, self.source = name, attrs, source
        self.start, self.end = start, start + len(source)
        self.before = dict(attrs)

    def text(self) -> str:
        """The tag as its attributes now are."""
        out = [re.match(r"<\s*[^\s/>]+", self.source)[0]]  # type: ignore[index]
        for name, value in self.attrs.items():
            out.append(name if value is None else f'{name}="{html.escape(value)}"')
        return " ".join(out) + (" />" if self.source.endswith("/>") else ">")

    def others(self) -> Iterator[str]:
        """Its name, values of attributes that are no text, and names of all."""
        yield self.name
        for name, value in self.attrs.items():
            yield name
            if value and (name not in _SHOWN | _LINKS or value.startswith("#")):
                yield value

    def hide(self, pattern: re.Pattern[str], loose: re.Pattern[str]) -> None:
        """Take out what is masked of attributes that are no text; of those that name
        things, in small letters as well."""
        for name, value in [*self.attrs.items()]:
            if pattern.search(name):
                del self.attrs[name]
            elif value and (name not in _SHOWN | _LINKS or value.startswith("#")):
                named = name in _NAMES or value.startswith("#")
                self.attrs[name] = (loose if named else pattern).sub(_HIDDEN, value)


class _AttrSlot:
    """A text that is the value of an attribute, behind a scheme such as `mailto:`."""

    def __init__(self, tag: _Tag, name: str, piece: Piece, scheme: str = "") -> None:
        self.tag, self.name, self._piece, self.scheme = tag, name, piece, scheme
        self.places: list[tuple[int, int]] = []

    def piece(self) -> Piece:
        return self._piece

    def changes(self, edits: Sequence[Edit]) -> Iterator[tuple[int, int, str]]:
        """None of its own: its tag is written anew."""
        if edits:
            self.tag.attrs[self.name] = self.scheme + splice(self._piece.text, edits)
        return iter(())


class _Reader(HTMLParser):
    """Finds the texts of a page and what is to be cut out of it."""

    def __init__(self, source: str, keep_images: bool) -> None:
        super().__init__(convert_charrefs=False)
        self.source, self.keep_images = source, keep_images
        self.lines = [0, *accumulate(map(len, re.findall(r"[^\n]*\n|[^\n]+", source)))]
        self.slots: list[_TextSlot | _AttrSlot] = []
        self.cuts: list[tuple[int, int, str]] = []
        self.tags: list[_Tag] = []
        self.styles: list[tuple[int, str]] = []
        self.counts: Counter[str] = Counter()
        # Attributes come at the end: their text would stand amid a sentence.
        self.aside: list[_AttrSlot] = []
        self.slot: _TextSlot | None = None
        self.before, self.hard = "", False
        self.pending: tuple[_TextSlot, int, int] | None = None
        self.keeps_space = 0
        # A number of a footnote is no part of the word before.
        self.in_sup = False
        # Where what was read last ends, if that is known.
        self.reach = -1
        # Element that is left out, where it begins, and how deep it is in itself.
        self.out, self.out_start, self.depth = "", 0, 0
        self.in_style = False
        self.last: Callable[[int], None] | None = None

    def finish(self) -> None:
        """Take what is still open, and put attributes behind the text."""
        self._end_last(len(self.source))
        if self.out:
            self.cuts.append((self.out_start, len(self.source), ""))
        self.slots = [s for s in self.slots if s.piece().text] + list(self.aside)

    def _at(self) -> int:
        line, column = self.getpos()
        return self.lines[line - 1] + column

    def _end_last(self, here: int) -> None:
        """Hand the end of what was read last, the beginning of this, to who waits; cut
        out what the parser says nothing about, such as a tag that has no end."""
        if here > self.reach >= 0 and not self.out:
            self.counts["broken tags"] += 1
            self.cuts.append((self.reach, here, ""))
        self.reach = -1
        if self.last is not None:
            wanted, self.last = self.last, None
            wanted(here)

    def _break(self, sign: str, hard: bool = False) -> None:
        """A border between two texts; of several the strongest counts."""
        self.slot, self.pending = None, None
        if (hard, _weight(sign)) > (self.hard, _weight(self.before)):
            self.before, self.hard = sign, hard

    def _add(self, text: str, start: int, end: int) -> None:
        """A character or an entity."""
        if text in _UNSEEN:
            return
        if not self.keeps_space and _SPACE.fullmatch(text):
            if self.slot is None and self.before:
                return
            slot = self._open()
            if self.pending is None and (slot.chars or len(self.slots) > 1):
                self.pending = (slot, start, end)
            elif self.pending is not None and self.pending[0] is slot:
                self.pending = (slot, self.pending[1], end)
            return
        if self.pending is not None:
            slot, *place = self.pending
            slot.add(" ", *place)
            self.pending = None
        self._open(self.in_sup and text.isdigit()).add(text, start, end)

    def _open(self, is_number: bool = False) -> _TextSlot:
        if self.slot is None:
            before = self.before or (" " if is_number else "")
            self.slot = _TextSlot(before if self.slots else "", self.hard)
            self.slots.append(self.slot)
            self.before, self.hard = "", False
        return self.slot

    def handle_data(self, data: str) -> None:
        start = self._at()
        self._end_last(start)
        self.reach = start + len(data)
        if self.out:
            return
        if self.in_style:
            self.styles.append((start, data))
            return
        for match in re.finditer(r"[ \t\n\r\f]+|[^ \t\n\r\f]", data):
            a, b = match.span()
            if self.keeps_space:
                for i in range(a, b):
                    self._add(data[i], start + i, start + i + 1)
            else:
                self._add(match[0], start + a, start + b)

    def _entity(self, start: int, end: int) -> None:
        source = self.source[start:end]
        if (char := html.unescape(source)) != source:
            return self._add(char, start, end)
        for i, char in enumerate(source, start):
            self._add(char, i, i + 1)

    def handle_entityref(self, name: str) -> None:
        start = self._at()
        self._end_last(start)
        if not self.out:
            self.last = lambda end: self._entity(start, end)

    handle_charref = handle_entityref

    def _cut(self, what: str) -> None:
        start = self._at()
        self._end_last(start)
        if not self.out:
            self.slot = None
            self.counts[what] += 1
            self.last = lambda end: self.cuts.append((start, end, ""))

    def handle_comment(self, data: str) -> None:
        self._cut("comments")

    unknown_decl = handle_comment

    def handle_pi(self, data: str) -> None:
        self._cut("processing instructions")

    def handle_decl(self, decl: str) -> None:
        start = self._at()
        self._end_last(start)
        if not decl.lower().startswith("doctype"):
            self.last = lambda end: self.cuts.append((start, end, ""))

    def handle_starttag(self, name: str, given: list) -> None:
        start = self._at()
        self._end_last(start)
        if self.out:
            self.depth += name == self.out and name not in _VOID
            return
        attrs: Attrs = {}
        for key, value in given:
            attrs.setdefault(key, value)
        what = _LEFT_OUT.get(name, "")
        image = name == "img" and str(attrs.get("src") or "").startswith("data:")
        if what or (image and not self.keep_images) or _is_meta(name, attrs):
            self._leave_out(name, what or ("pictures" if image else "meta data"))
            return
        self._start(name, attrs, start)

    def handle_startendtag(self, name: str, given: list) -> None:
        """A tag that is its own end (`<br/>`)."""
        start, out = self._at(), self.out
        self.handle_starttag(name, given)
        if self.out and not out:
            self.out = ""
            self.last = lambda end: self.cuts.append((start, end, ""))
        self.depth -= bool(out) and name == out and name not in _VOID
        self.keeps_space -= not out and name in ("pre", "textarea")

    def _leave_out(self, name: str, what: str) -> None:
        self._cut(what)
        if name not in _VOID:
            # Its end is that of its end tag.
            self.out_start, self.last = self._at(), None
            self.out, self.depth = name, 1

    def _start(self, name: str, attrs: Attrs, start: int) -> None:
        source = self.get_starttag_text() or ""
        self.reach = start + len(source)
        if not _NAME.fullmatch(name):
            # An address in angle brackets, and the like.
            return self._cut("broken tags")
        self.in_style = name == "style"
        self._border(name)
        self.keeps_space += name in ("pre", "textarea")
        tag = _Tag(name, attrs, start, source)
        self.tags.append(tag)
        for key, value in [*attrs.items()]:
            if _DROPPED.match(key) and name != "meta":
                self.counts["attributes for programs"] += 1
                del attrs[key]
            elif value and key in _SHOWN:
                self.aside.append(_AttrSlot(tag, key, Piece(value, "\n\n", True)))
            elif value and key in _LINKS:
                self._link(tag, key, value)

    def _border(self, name: str) -> None:
        if name in _CELLS:
            self._break("\t", hard=True)
        elif name in ("table", "tr"):
            self._break("\n\n" if name == "table" else "\n", hard=True)
        elif name in _LINES:
            self._break("\n\n" if name in _WIDE else "\n")
        else:
            # A stretch of text ends at every tag, though a sentence goes on.
            self.slot = None
        self.in_sup ^= name == "sup"
        number = name in ("a", "sup") and not self.in_sup and self.slots
        if number and self.slots[-1].piece().text.isdigit():
            self._break(" ")

    def _link(self, tag: _Tag, key: str, value: str) -> None:
        if value.startswith("data:") and self.keep_images:
            return
        if what := without_link(value):
            self.counts[what] += 1
            del tag.attrs[key]
            return
        scheme, piece = link_piece(value)
        if piece is not None:
            tag.attrs[key] = scheme + piece.text
            self.aside.append(_AttrSlot(tag, key, piece, scheme))

    def handle_endtag(self, name: str) -> None:
        start = self._at()
        self._end_last(start)
        if self.out:
            self.depth -= name == self.out
            if not self.depth:
                begun, self.out = self.out_start, ""
                self.last = lambda end: self.cuts.append((begun, end, ""))
            return
        self.last = lambda end: self._end_tag(name, start, end)
        self.in_style = False
        self.keeps_space -= name in ("pre", "textarea") and self.keeps_space > 0
        self._border(name)

    def _end_tag(self, name: str, start: int, end: int) -> None:
        """Cut out what an end tag has besides its name."""
        plain = f"</{name}>" if _NAME.fullmatch(name) else ""
        if self.source[start:end].lower() != plain:
            self.cuts.append((start, end, plain))


def _weight(sign: str) -> int:
    return ("", " ", "\t", "\n", "\n\n").index(sign)


def _is_meta(name: str, attrs: Attrs) -> bool:
    """Whether a tag says something about the page or who wrote it."""
    if name == "link":
        return "author" in str(attrs.get("rel") or "").lower()
    if name != "meta" or "charset" in attrs:
        return False
    if named := attrs.get("http-equiv"):
        return named.lower() not in ("content-type", "x-ua-compatible")
    return str(attrs.get("name") or "").lower() not in _KEPT_META
