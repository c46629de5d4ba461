"""Mails: .eml files, and .mbox files, all of whose mails are one document."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable, Sequence
from email import errors, policy
from email.header import Header, decode_header, make_header
from email.parser import BytesParser
from email.utils import formataddr
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import quote

from ..data import entries
from ..text.offsets import splice
from .pieces import DocumentError, Edit, Piece, Tools, notes_of
from .web import HtmlDocument

# Headers with people, those with text, ids of mails, and what says how a part is written.
_PEOPLE = ("From", "Sender", "Reply-To", "To", "Cc", "Bcc")
_TEXTS = ("Date", "Subject")
_IDS = ("Message-ID", "In-Reply-To", "References")
_KEPT = ("mime-version", "content-type", "content-transfer-encoding")
_PLAIN = ("text/plain", "text/markdown", "text/csv", "text/tab-separated-values")
_CIPHERS = ("application/pkcs7-mime", "application/x-pkcs7-mime")
_ENCRYPTED = ("multipart/encrypted", *_CIPHERS)
_DAMAGE = (
    errors.InvalidBase64CharactersDefect,
    errors.InvalidBase64LengthDefect,
    errors.MultipartInvariantViolationDefect,
    errors.NoBoundaryInMultipartDefect,
)
# What we write is short enough, and encoded where it has to be.
_POLICY = policy.default.clone(linesep="\n", refold_source="none")
_ID = re.compile(r"<[^<>\s]+>")
_KINDS = "application|audio|font|image|message|model|text|video"
_KIND = re.compile(rf"(?:{_KINDS})/[\w.+-]+")
_SIGNS = re.compile(r"[\W_]+")
# A line of a mail may begin so, too, but no header follows it.
_FROM = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\n]*\n(?=[!-9;-~]+:)")
_FROM_LINE = b"From MAILER-DAEMON Thu Jan  1 00:00:00 1970\n"
_QUOTED, _TO_QUOTE = re.compile(rb"(?m)^>(>*From )"), re.compile(rb"(?m)^(>*From )")
_TREATED = ("mime-version", *(n.lower() for n in (*_PEOPLE, *_TEXTS, *_IDS)))
# Writes a part or header anew from the new texts of its pieces, or from their edits.
Write = Callable[[list[str], Sequence[Sequence[Edit]], Tools], None]


class _Mail(NamedTuple):
    """A mail, the ids in it, and its headers as they are written."""

    message: Any
    ids: list[tuple[str, str]]
    headers: list[tuple[str, str]]


class MailDocument:
    """Mails in order: what headers say of people, subjects, dates, and the texts.

    Other headers and what is attached are left out; ids of mails become others, so that
    threads stay joined.

    data (bytes): An .eml file, or an .mbox file (`several`).
    RAISES (DocumentError): If it is encrypted, damaged, or no mail.
    """

    def __init__(
        self, data: bytes, keep_images: bool = False, several: bool = False
    ) -> None:
        self.several = several
        self.newline = b"\r\n" if b"\r\n" in data[:4096] else b"\n"
        self.pieces: list[Piece] = []
        # Of the address that was last.
        self.closing = ""
        # Each with the number of its first piece.
        self.writers: list[tuple[int, Write]] = []
        self.counts: Counter[str] = Counter()
        self.mails: list[_Mail] = []
        self.roots: list[Any] = []
        for n, raw in enumerate(_split(data) if several else [data], 1):
            message: Any = BytesParser(policy=_POLICY).parsebytes(raw)
            try:
                self._read(message)
            except DocumentError as error:
                told = f"mail {n}: {error}" if several else error
                raise DocumentError(told) from None
            self.roots.append(message)
        self.notes = notes_of(self.counts)

    def write(self, edits: Sequence[Sequence[Edit]], tools: Tools) -> bytes:
        """The mails with other texts."""
        texts = [splice(p.text, own) for p, own in zip(self.pieces, edits, strict=True)]
        ends = [start for start, _ in self.writers[1:]] + [len(texts)]
        for (start, write), end in zip(self.writers, ends):
            write(texts[start:end], edits[start:end], tools)
        for mail in self.mails:
            _finish(mail, tools)
        for message in self.roots:
            for part in message.walk():
                if part.is_multipart() and part.get_boundary() is not None:
                    part.set_boundary(tools.pseudonym(part.get_boundary()))
        raws = [message.as_bytes(policy=_POLICY) for message in self.roots]
        if self.several:
            raws = [_FROM_LINE + _TO_QUOTE.sub(rb">\1", raw) for raw in raws]
            raws = [raw.rstrip(b"\n") + b"\n\n" for raw in raws]
        return b"".join(raws).replace(b"\n", self.newline)

    def _takes(self, write: Write, *pieces: Piece) -> None:
        """What writes the pieces that follow."""
        self.writers.append((len(self.pieces), write))
        if pieces and self.closing:
            first = pieces[0]._replace(before=self.closing + pieces[0].before)
            pieces, self.closing = (first, *pieces[1:]), ""
        self.pieces += pieces

    def _read(self, message: Any) -> None:
        if not message.keys():
            raise DocumentError("it has no headers")
        mail = _Mail(message, [], [])
        self.mails.append(mail)
        before = "\n\n"
        for name in (*_PEOPLE, *_TEXTS):
            raws = [v for n, v in message.raw_items() if n.lower() == name.lower()]
            for value, raw in zip(message.get_all(name, []), map(_decoded, raws)):
                self._header(mail, name, value, raw, f"{before}{name}: ")
                before = "\n"
        for name in _IDS:
            mail.ids.extend((name, str(v)) for v in message.get_all(name, []))
        if n := sum(name.lower() not in _TREATED + _KEPT for name in message):
            self.counts["headers"] += n
        self._part(message)

    def _header(self, mail: _Mail, name: str, value: Any, raw: str, title: str) -> None:
        if _is_read(value, raw):
            return self._people(mail, name, value.addresses, title)
        text = " ".join(raw.split())

        def write(texts: list[str], *_: Any) -> None:
            mail.headers.append((name, _encoded(texts[0])))

        if text:
            self._takes(write, Piece(text, title, True))

    def _people(self, mail: _Mail, name: str, people: Any, title: str) -> None:
        pieces: list[Piece] = []
        # Whether each has a name, and an address.
        shown: list[tuple[bool, bool]] = []
        for called, address in map(_called, people):
            shown.append((bool(called), bool(address)))
            if called:
                pieces.append(Piece(called, title, True, *_kind_of(called, address)))
            if address:
                sign = " <" if called else title
                pieces.append(Piece(address, sign, True, *_kind_of(address, "")))
            title = ">, " if called and address else ", "

        def write(texts: list[str], *_: Any) -> None:
            left = iter(texts)
            new = [_address(*(next(left) if x else "" for x in two)) for two in shown]
            mail.headers.append((name, ",\n ".join(new)))

        if pieces:
            self._takes(write, *pieces)
            self.closing = title.partition(",")[0]

    def _part(self, part: Any) -> None:
        if (kind := part.get_content_type()) in _ENCRYPTED:
            raise DocumentError("it is encrypted")
        if any(isinstance(defect, _DAMAGE) for defect in part.defects):
            raise DocumentError("its parts are damaged")
        if kind == "message/rfc822" and part.is_multipart():
            _strip(part)
            self._read(part.get_payload(0))
        elif kind.startswith("multipart/") and part.is_multipart():
            _strip(part)
            part.preamble = part.epilogue = None
            for inner in part.get_payload():
                self._part(inner)
        elif kind == "text/html":
            self._html(part)
        elif kind in _PLAIN:
            piece = Piece(_text(part), "\n\n", True)
            self._takes(lambda new, *_: _set_text(part, new[0], kind[5:]), piece)
        else:
            self._attached(part, kind)

    def _html(self, part: Any) -> None:
        page = HtmlDocument(codecs.BOM_UTF8 + _text(part).encode("utf-8"))
        self.counts.update(page.counts)

        def write(_: Any, edits: Sequence[Sequence[Edit]], tools: Tools) -> None:
            _set_text(part, page.write(edits, tools).decode("utf-8-sig"), "html")

        first = [p._replace(before="\n\n", hard=True) for p in page.pieces[:1]]
        self._takes(write, *first, *page.pieces[1:])

    def _attached(self, part: Any, kind: str) -> None:
        """A file, in whose place a line says what it was."""
        kind = kind if _KIND.fullmatch(kind) else "of unknown kind"
        self.counts[f"attached files ({kind})"] += 1

        def write(texts: list[str], *_: Any) -> None:
            named = "".join(f" {text}" for text in texts)
            _set_text(part, f"[Attached file left out:{named} ({kind})]")

        # In names of files signs stand where a text has spaces.
        stem, _, end = _as_text(part.get_filename() or "").rpartition(".")
        name = _SIGNS.sub(" ", stem or end).strip()
        sign = "\n\nAttached file: "
        self._takes(write, *([Piece(name, sign, True)] if name else []))


def _as_text(raw: str) -> str:
    """Text of a header in which bytes stand as they are, mostly UTF-8."""
    return raw.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _decoded(raw: str) -> str:
    """A header as it reads, whether the parser understands it or not."""
    text = _as_text(raw)
    try:
        return str(make_header(decode_header(text)))
    except (LookupError, ValueError, errors.MessageError):
        return text


def _called(person: Any) -> tuple[str, str]:
    """Name and address of a person in a header; no name that is the address again."""
    name = _as_text(person.display_name).strip()
    address = _as_text(person.addr_spec)
    return "" if name == address else name, "" if address == "<>" else address


@cache
def desks() -> frozenset[str]:
    """Words in names of senders that are nobody in person."""
    return frozenset(entries("desks"))


def _kind_of(called: str, address: str) -> tuple[str, str]:
    """Type and subtype of what a header calls somebody: a person, but for desks and for
    companies that are called as their domain. About these the pipeline decides."""
    if "@" in called:
        return "CODE", "EMAIL"
    words = [word for word in _SIGNS.split(called.lower()) if word]
    domain = address.rpartition("@")[2].lower().split(".")
    desk = not desks().isdisjoint(words) or "".join(words) in domain
    return ("", "") if desk else ("PERSON", "")


def _is_read(value: Any, raw: str) -> bool:
    """Whether a header has people, all of whose addresses the parser has understood."""
    people = getattr(value, "addresses", ())
    known = sum(p.display_name.count("@") + p.addr_spec.count("@") for p in people)
    return hasattr(value, "addresses") and known == raw.count("@")


def _split(data: bytes) -> list[bytes]:
    """The mails of an .mbox file."""
    if not (starts := [*_FROM.finditer(data)]) or data[: starts[0].start()].strip():
        problem = "it is no mailbox: its first line does not begin with 'From '"
        raise DocumentError(problem)
    ends = [match.start() for match in starts[1:]] + [len(data)]
    raws = (data[m.end() : end] for m, end in zip(starts, ends))
    return [_QUOTED.sub(rb"\1", raw) for raw in raws]


def _strip(part: Any) -> None:
    """Leave of a part's headers the type and its border alone."""
    border = part.get_boundary()
    kind = part.get_content_type()
    for name in part:
        if name.lower().startswith("content-") and name.lower() not in _KEPT:
            del part[name]
    part.replace_header("Content-Type", kind)
    if border is not None:
        part.set_boundary(border)


def _text(part: Any) -> str:
    try:
        text = part.get_content(errors="strict")
    except (LookupError, ValueError, errors.MessageError):
        raise DocumentError("a part is not in the encoding that it names") from None
    if any(isinstance(defect, _DAMAGE) for defect in part.defects):
        raise DocumentError("its parts are damaged")
    return text.replace("\r\n", "\n").rstrip("\n")


def _set_text(part: Any, text: str, subtype: str = "plain") -> None:
    flowed = part.get_param("format") == "flowed"
    for name in part:
        if name.lower() not in _TREATED:
            del part[name]
    part.set_content(text + "\n", subtype=subtype, charset="utf-8")
    if flowed:
        part.set_param("format", "flowed")


def _finish(mail: _Mail, tools: Tools) -> None:
    """Write the headers of a mail: what was treated, and how its body is written."""
    for name, value in mail.ids:
        if ids := [f"<{tools.pseudonym(i)}@mail.invalid>" for i in _ID.findall(value)]:
            mail.headers.append((name, "\n ".join(ids)))
    message = mail.message
    kept = [(k, _encoded(str(v))) for k, v in message.items() if k.lower() in _KEPT]
    # Under this policy headers are what they are: a placeholder is no date.
    message.policy = policy.compat32
    for name in message:
        del message[name]
    for name, value in (*mail.headers, *kept):
        message[name] = value
    message.policy = _POLICY


def _encoded(text: str) -> str:
    text = " ".join(text.split())
    return text if text.isascii() else Header(text, "utf-8", 70).encode()


def _address(called: str, address: str) -> str:
    """A person in a header, by name and address."""
    if not address:
        return _encoded(called)
    address = address if address.isascii() else quote(address, "@")
    return formataddr((" ".join(called.split()), address), "utf-8")
