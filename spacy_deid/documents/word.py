"""Word files: the text of .docx files in all their parts, with its formatting kept."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..data import facts
from ..text.offsets import splice
from .leaks import check_rest
from .links import is_web_link, link_piece
from .pieces import DocumentError, Edit, Piece, Tools, notes_of
from .word_clean import (
    KEPT,
    TEXTS,
    XML_SPACE,
    A,
    Names,
    R,
    W,
    clean_numbering,
    clean_settings,
    clean_story,
    clean_styles,
    local,
    remove,
    unwrap,
)

_OLE, _ZIP = b"\xd0\xcf\x11\xe0", b"PK"
MAX_BYTES = 1 << 30
_TYPE = (
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
)
# Parts with text, in the order in which it is read, and parts that say how it looks.
_STORIES = ("header", "footer", "footnotes", "endnotes", "comments")
_LOOKS = ("styles", "settings", "fontTable", "numbering", "theme")
# What other parts are called where they are left out; pictures are counted in the text.
_CALLED = facts("left_out")["word"]
# Attributes that are text.
_DRAWN = ("descr", "title")
_ATTRIBUTES = dict.fromkeys(("tblCaption", "tblDescription", "lvlText"), (f"{W}val",))
_ATTRIBUTES["textpath"] = ("string",)
_COUNTER = re.compile(r"%\d")
# Names of fonts and of the styles that every program has.
_NAMING = "rFonts font altName lsdException lang themeFontLang".split()
_FACTS = frozenset(f"{W}{name}" for name in _NAMING)
_FACTS |= {f"{A}{name}" for name in ("latin", "ea", "cs", "sym", "font")}
# Elements that stand for a sign.
_SIGNS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


class _Slot(NamedTuple):
    """Where a piece stands: an element, or an attribute of one or of a relationship."""

    piece: Piece
    element: Any
    attribute: str = ""
    scheme: str = ""

    def write(self, edits: Sequence[Edit]) -> None:
        if not edits:
            return
        text = splice(self.piece.text, edits)
        if self.attribute == "_target":
            self.element._target = self.scheme + " ".join(text.split())
        elif self.attribute:
            self.element.set(self.attribute, " ".join(text.split()))
        elif not self.piece.fixed:
            self._set(self.element, text)
        elif text != self.piece.text:
            other = self.element.makeelement(f"{W}t")
            self._set(other, text)
            self.element.getparent().replace(self.element, other)

    @staticmethod
    def _set(element: Any, text: str) -> None:
        element.text = text.replace("\n", " ")
        if element.tag == f"{W}t":
            element.set(XML_SPACE, "preserve")


class WordDocument:
    """A document with tables, headers and footers, notes, comments and text boxes.

    data (bytes): The file.
    keep_images (bool): Keep pictures as they are.
    RAISES (DocumentError): If it is damaged, encrypted or of another format.
    """

    def __init__(self, data: bytes, keep_images: bool = False) -> None:
        self.keep_images = keep_images
        self.package = _open(data)
        self.counts: Counter[str] = Counter()
        main = _main_part(self.package)
        self._prune(main)
        found = {kind: [] for kind in (*_STORIES, *_LOOKS)}  # type: ignore[var-annotated]
        for part in _parts_below(main):
            for rel in part.rels.values():
                if (kind := _kind(rel)) in found and rel.target_part not in found[kind]:
                    found[kind].append(rel.target_part)
        stories = [main, *(part for kind in _STORIES for part in found[kind])]
        # Roots of the parts that were read, and of those only the text is pieces.
        self.roots: list[tuple[Any, Any]] = [(p, _parse(p)) for p in stories]
        main._content_type = _TYPE
        names, collector = Names(), _Collector()
        for part, root in self.roots:
            clean_story(root, names, self.counts, self.keep_images)
            _cut_references(root, part.rels)
            collector.story(root)
        self.slots = [*collector.slots, *self._asides()]
        self._clean_looks(found)
        self.pieces = [slot.piece for slot in self.slots]
        kept = {"pictures": self.counts.pop(KEPT, 0)}
        self.notes = notes_of(self.counts) + notes_of(kept, "kept as they are: ")

    def write(self, edits: Sequence[Sequence[Edit]], tools: Tools) -> bytes:
        """The document with other text."""
        for slot, own in zip(self.slots, edits, strict=True):
            slot.write(own)
        for part, root in self.roots:
            if hasattr(part, "_element"):
                part._element = root
            else:
                part._blob = _dump(root)
        out = io.BytesIO()
        self.package.save(out)
        data = out.getvalue()
        check_rest(_rest(data), tools.masked)
        return data

    def _prune(self, main: Any) -> None:
        """Cut off all parts but those that are read or say how it looks."""
        for rel_id, rel in [*self.package.rels.items()]:
            if _kind(rel) != "officeDocument":
                self._cut(self.package, rel_id)
        for part in _parts_below(main):
            for rel_id, rel in [*part.rels.items()]:
                if not self._is_kept(rel):
                    self._cut(part, rel_id)

    def _is_kept(self, rel: Any) -> bool:
        kind = _kind(rel)
        if rel.is_external:
            link = kind == "hyperlink" and is_web_link(rel.target_ref)
            self.counts["links to files and programs"] += not link
            return link
        if kind == "theme":
            # One with pictures of its own cannot do without them.
            return not rel.target_part.rels
        image = kind == "image" and self.keep_images
        return image or kind in (*_STORIES, *_LOOKS)

    def _cut(self, part: Any, rel_id: str) -> None:
        if what := _CALLED.get(_kind(part.rels[rel_id]), ""):
            self.counts[what] += 1
        del part.rels[rel_id]

    def _clean_looks(self, found: dict[str, list[Any]]) -> None:
        for kind in _LOOKS:
            for part in found[kind]:
                root = _parse(part)
                if kind == "settings":
                    clean_settings(root)
                elif kind == "numbering":
                    clean_numbering(root, self.keep_images)
                    self.slots += _shown(root)
                elif kind == "styles":
                    clean_styles(root)
                _cut_references(root, part.rels)
                self.roots.append((part, root))

    def _asides(self) -> Iterator[_Slot]:
        """Texts that are attributes: of drawings, and targets of links."""
        for part, root in self.roots:
            yield from _shown(root)
            used = {e.get(f"{R}id") for e in root.iter(f"{W}hyperlink")}
            for rel_id, rel in [*part.rels.items()]:
                if not rel.is_external:
                    continue
                scheme, piece = link_piece(rel.target_ref)
                if rel_id not in used:
                    del part.rels[rel_id]
                elif piece is not None:
                    rel._target = scheme + piece.text
                    yield _Slot(piece, rel, "_target", scheme)


def _shown(root: Any) -> Iterator[_Slot]:
    """Attributes with words: of drawings and tables, and of the numbers of paragraphs
    ("Exhibit %1")."""
    for element in root.iter():
        for name in _text_names(element):
            text = element.get(name) or ""
            if any(map(str.isalpha, _COUNTER.sub("", text))):
                yield _Slot(Piece(text, "\n\n", True), element, name)


def _text_names(element: Any) -> tuple[str, ...]:
    """The attributes of an element that are text."""
    name = local(element)
    return _DRAWN if name in ("docPr", "cNvPr") else _ATTRIBUTES.get(name, ())


class _Collector:
    """Gathers the texts of a document and what stands between them."""

    def __init__(self) -> None:
        self.slots: list[_Slot] = []
        self.before, self.hard = "", False
        self.boxes: list[Any] = []

    def story(self, root: Any) -> None:
        """A part, or a note or comment in one."""
        for element in root:
            if local(element) in ("footnote", "endnote", "comment"):
                self._break("\n\n", True)
                self._blocks(element)
            elif local(element) == "body":
                self._blocks(element)
        if local(root) in ("hdr", "ftr"):
            self._blocks(root)
        self._break("\n\n", True)

    def _break(self, sign: str, hard: bool = False) -> None:
        """A border: hard ones count more, and so do empty lines."""
        if hard:
            self.before, self.hard = sign, True
        elif not self.hard and sign == "\n":
            self.before = (self.before + sign)[-2:]

    def _blocks(self, container: Any) -> None:
        for element in container:
            if element.tag == f"{W}p":
                self._runs(element)
                boxes, self.boxes = self.boxes, []
                for box in boxes:
                    self._break("\n\n", True)
                    self._blocks(box)
                    self._break("\n\n", True)
                self._break("\n")
            elif element.tag == f"{W}tbl":
                self._break("\n\n", True)
                self._table(element)
                self._break("\n\n", True)
            else:
                self._blocks(element)

    def _table(self, table: Any) -> None:
        for row in table.iter(f"{W}tr"):
            if _above(row, f"{W}tbl") is not table:
                continue
            if self.before != "\n\n":
                self._break("\n", True)
            for cell in row.iter(f"{W}tc"):
                if _above(cell, f"{W}tr") is row:
                    self._blocks(cell)
                    self._break("\t", True)
            self._break("\n", True)

    def _runs(self, container: Any) -> None:
        for element in container:
            if (name := local(element)) == "txbxContent":
                self.boxes.append(element)
            elif element.tag in TEXTS:
                if element.text:
                    self._add(element, element.text)
            elif element.tag == f"{W}{name}" and name in _SIGNS:
                self._add(element, _SIGNS[name], True)
            elif element.tag == f"{W}sym":
                self._add(element, chr(int(element.get(f"{W}char") or "0", 16)), True)
            elif not name.endswith("Pr"):
                self._runs(element)

    def _add(self, element: Any, text: str, fixed: bool = False) -> None:
        piece = Piece(text, self.before, self.hard, fixed=fixed)
        self.slots.append(_Slot(piece, element))
        self.before, self.hard = "", False


def _above(element: Any, tag: str) -> Any:
    """The innermost element of a kind that one is in."""
    return next(element.iterancestors(tag), None)


def _open(data: bytes) -> Any:
    try:
        from docx.package import Package
    except ImportError:
        problem = ".docx files need python-docx: pip install 'spacy-deid[documents]'"
        raise DocumentError(problem) from None
    if data.startswith(_OLE):
        raise DocumentError("it is encrypted, or an old .doc file: save it as .docx")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            size = sum(info.file_size for info in file.infolist())
        if size > MAX_BYTES:
            raise DocumentError(f"it is more than {MAX_BYTES} bytes when unpacked")
        return Package.open(io.BytesIO(data))
    except DocumentError:
        raise
    except Exception:
        # The errors of several libraries, which may quote what they cannot read.
        raise DocumentError("it is damaged, or no .docx file") from None


def _main_part(package: Any) -> Any:
    mains = [rel for rel in package.rels.values() if _kind(rel) == "officeDocument"]
    if len(mains) != 1 or mains[0].is_external:
        raise DocumentError("it is damaged, or no .docx file")
    part = mains[0].target_part
    if _parse(part).tag != f"{W}document":
        problem = "it is in another format of Open XML: save it as .docx (not 'strict')"
        raise DocumentError(problem)
    return part


def _kind(rel: Any) -> str:
    return rel.reltype.rpartition("/")[2]


def _parts_below(source: Any) -> Iterator[Any]:
    """A part and all that belong to it (of a package, its parts)."""
    seen: list[Any] = []
    todo = [source]
    while todo:
        part = todo.pop()
        if any(part is other for other in seen):
            continue
        seen.append(part)
        todo += [r.target_part for r in part.rels.values() if not r.is_external]
    return iter(seen)


def _parse(part: Any) -> Any:
    """The root of a part, without comments; nothing that it names is loaded."""
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(part.blob, parser)
    except etree.XMLSyntaxError:
        raise DocumentError("it is damaged: a part of it is no XML") from None


def _dump(root: Any) -> bytes:
    from lxml import etree

    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _cut_references(root: Any, rels: Any) -> None:
    """Take out what names a part that is not there any more."""
    for element in [*root.iter()]:
        named = [v for name, v in element.attrib.items() if name.startswith(R)]
        if not any(value and value not in rels for value in named):
            continue
        take_out = unwrap if element.tag == f"{W}hyperlink" else remove
        take_out(element)


def _rest(data: bytes) -> Iterator[str]:
    """What is in a written file besides the texts that were read."""
    package = _open(data)
    for part in _parts_below(package):
        yield from (rel.reltype for rel in part.rels.values())
        if part is package or not str(part.partname).endswith(".xml"):
            continue
        yield str(part.partname)
        for element in _parse(part).iter():
            if element.tag in _FACTS:
                continue
            if element.text and element.tag not in TEXTS:
                yield element.text
            read = _text_names(element)
            yield from (v for name, v in element.attrib.items() if name not in read)
