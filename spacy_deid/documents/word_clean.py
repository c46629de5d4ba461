"""Takes out of the XML of .docx files what is no text to be read.

What somebody has changed is accepted, and what somebody has deleted goes. Of fields
stays what they show; of drawings, what has text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from ..data import word_lists

_SCHEMAS = "http://schemas.openxmlformats.org"
W = f"{{{_SCHEMAS}/wordprocessingml/2006/main}}"
A = f"{{{_SCHEMAS}/drawingml/2006/main}}"
M = f"{{{_SCHEMAS}/officeDocument/2006/math}}"
R = f"{{{_SCHEMAS}/officeDocument/2006/relationships}}"
WP = f"{{{_SCHEMAS}/drawingml/2006/wordprocessingDrawing}}"
PIC = f"{{{_SCHEMAS}/drawingml/2006/picture}}"
V = "{urn:schemas-microsoft-com:vml}"
MC = f"{{{_SCHEMAS}/markup-compatibility/2006}}"
XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
KEPT = "kept"
# Elements whose text is read.
TEXTS = frozenset((f"{W}t", f"{A}t", f"{M}t"))

# Elements, fields and settings by what becomes of them; see the table.
_WORDS = word_lists("docx_words")
_ADDED = frozenset((f"{W}ins", f"{W}moveTo"))
_UNWRAPPED = _ADDED | {f"{W}smartTag", f"{W}customXml"}
_DELETED = frozenset(f"{W}{n}" for n in ("del", "moveFrom", "cellDel"))
_MARKS = frozenset(f"{W}{n}" for n in ("rPr", "trPr", "tcPr", "numPr"))
_REMOVED = frozenset(f"{W}{name}" for name in _WORDS["removed"])
_REMOVED |= {f"{A}extLst", f"{A}hlinkClick", f"{A}hlinkHover"}
_REMOVED |= {"{urn:schemas-microsoft-com:office:office}signatureline"}
_OFFICE = "{http://schemas.microsoft.com/office/word/"
# Elements of other makers may hold anything.
_MAKERS = (f"{{{_SCHEMAS}/", _OFFICE, "{urn:schemas-microsoft-com:")
_EMBEDDED = {f"{W}altChunk", f"{W}subDoc", f"{W}contentPart"}
# Fields that count, or show other places of the document.
_FIELDS = frozenset(_WORDS["fields"])
_REFERENCES = frozenset(_WORDS["references"])
_VML_TEXTS = frozenset(_WORDS["vml texts"])
_SETTINGS = frozenset(_WORDS["settings"])
_DRAWN = (f"{W}drawing", f"{W}pict", f"{W}object")
_GRAPHICS = re.compile(
    r".*/(?:drawingml/2006/picture|wordprocessing(?:Shape|Group|Canvas))$"
)
# Text of elements that say where a drawing is: numbers and words of the format.
_PLACES = re.compile(r"-?[\d.]+%?|[a-z]+")
_IDS = re.compile(r"(?:rsid\w*|paraId|textId|docLocation|tgtFrame|tooltip)")
_RANGE = re.compile(rf"{re.escape(W)}(?:move|customXml)\w*Range\w*")
_AUTO_NAME = re.compile(r"_(?:Toc|Ref|Hlk)\d+")


def local(element: Any) -> str:
    """The name of an element without its namespace."""
    return element.tag.rpartition("}")[2]


def remove(element: Any) -> None:
    """Take an element out; in this format nothing stands behind one."""
    if (parent := element.getparent()) is not None:
        parent.remove(element)


def unwrap(element: Any) -> None:
    """Put what is in an element in its place."""
    parent = element.getparent()
    at = parent.index(element)
    parent[at : at + 1] = list(element)


class Names:
    """Other names for bookmarks and authors, equal ones for equal ones."""

    def __init__(self) -> None:
        self.bookmarks: dict[str, str] = {}
        self.authors: dict[str, str] = {}

    def bookmark(self, name: str) -> str:
        if _AUTO_NAME.fullmatch(name):
            return name
        return self.bookmarks.setdefault(name, f"place{len(self.bookmarks) + 1}")

    def author(self, name: str) -> str:
        return self.authors.setdefault(name, str(len(self.authors) + 1))


def clean_story(
    root: Any, names: Names, counts: Counter[str], keep_images: bool
) -> None:
    """Clean the body of a document, a header, notes or comments, in place.

    names (Names): Shared by all parts of a document.
    counts (Counter): Takes what is left out, by what it is called.
    """
    _accept_changes(root, counts)
    for element in [*root.iter(f"{MC}AlternateContent")]:
        # The others are the same once more for older programs.
        for other in list(element)[1:]:
            element.remove(other)
    _simplify(root, counts)
    _clean_fields(root, names, counts)
    _clean_drawings(root, counts, keep_images)
    _mend_tables(root)
    for element in root.iter():
        _clean_attributes(element, names)
        _clean_text(element)


def _accept_changes(root: Any, counts: Counter[str]) -> None:
    for element in [*root.iter()]:
        parent = element.getparent()
        if (tag := element.tag).startswith(W) and tag.endswith("Change"):
            counts["changes of format"] += 1
            remove(element)
        elif tag in _DELETED and parent is not None:
            counts["deleted passages"] += 1
            whole = {f"{W}trPr": parent.getparent(), f"{W}tcPr": parent.getparent()}
            remove(whole.get(parent.tag, element))
        elif _RANGE.fullmatch(tag) or (tag in _ADDED and parent.tag in _MARKS):
            remove(element)


def _simplify(root: Any, counts: Counter[str]) -> None:
    for element in [*root.iter()]:
        if (tag := element.tag) in _REMOVED or not tag.startswith(_MAKERS):
            remove(element)
        elif tag in _EMBEDDED:
            counts["embedded documents"] += 1
            remove(element)
        elif tag in _UNWRAPPED:
            unwrap(element)
        elif tag == f"{W}sdt":
            counts["content controls"] += 1
            for content in element.findall(f"{W}sdtContent"):
                unwrap(content)
            unwrap(element)


def _mend_tables(root: Any) -> None:
    """Take out rows and tables of which nothing is left; a cell has to end with a
    paragraph."""
    for inner, tag in (("tc", "tr"), ("tr", "tbl")):
        for element in [*root.iter(f"{W}{tag}")]:
            if element.find(f"{W}{inner}") is None:
                remove(element)
    for cell in root.iter(f"{W}tc"):
        if not len(cell) or cell[-1].tag != f"{W}p":
            cell.append(cell.makeelement(f"{W}p"))


def _clean_fields(root: Any, names: Names, counts: Counter[str]) -> None:
    """Make text of fields that say more than a number or a place of the document."""
    known = {e.get(f"{W}name") for e in root.iter(f"{W}bookmarkStart")}
    for element in [*root.iter(f"{W}fldSimple")]:
        if code := _field_code(element.get(f"{W}instr") or "", known, names):
            element.set(f"{W}instr", code)
        else:
            counts["fields"] += 1
            unwrap(element)
    parts = [*root.iter(f"{W}fldChar", f"{W}instrText")]
    kept: set[Any] = set()
    for field in _fields_in(parts):
        codes = [e for e in field if e.tag == f"{W}instrText"]
        if code := _field_code("".join(e.text or "" for e in codes), known, names):
            for e in codes:
                e.text = None
            codes[0].text = code
            codes[0].set(XML_SPACE, "preserve")
            kept.update(field)
    for element in parts:
        if element not in kept:
            counts["fields"] += element.get(f"{W}fldCharType") == "begin"
            remove(element)


def _fields_in(parts: Iterable[Any]) -> Iterator[list[Any]]:
    """The marks and codes of each field that has an end, also of one in another."""
    open_fields: list[list[Any]] = []
    for element in parts:
        if (kind := element.get(f"{W}fldCharType")) == "begin":
            open_fields.append([])
        if not open_fields:
            continue
        open_fields[-1].append(element)
        if kind == "end":
            yield open_fields.pop()


def _field_code(code: str, known: Iterable[str | None], names: Names) -> str:
    """A field's code as it may stay, else ""."""
    words = code.split()
    name = words[0].upper() if words else ""
    if name in _FIELDS:
        return code
    if name in _REFERENCES and len(words) > 1 and words[1] in known:
        return " ".join(["", name, names.bookmark(words[1]), *words[2:], ""])
    return ""


def _clean_drawings(root: Any, counts: Counter[str], keep_images: bool) -> None:
    for element in [*root.iter(*_DRAWN)]:
        if (what := _what_is_drawn(element)) == "picture" and keep_images:
            counts[KEPT] += 1
            continue
        has_text = next(element.iter(f"{W}txbxContent"), None) is not None
        if what and not has_text:
            counts[f"{what}s"] += 1
            _replace(element, f"[{what}]")
        elif what:
            for inner in [*_embedded_in(element)]:
                counts[f"{what}s"] += 1
                remove(inner)
    for element in [*root.iter(f"{W}background")]:
        for inner in list(element):
            element.remove(inner)


def _what_is_drawn(element: Any) -> str:
    """What of a drawing cannot be read; "" if it is lines and text."""
    if element.tag == f"{W}object":
        return "embedded object"
    for data in element.iter(f"{A}graphicData"):
        if "chart" in (uri := data.get("uri") or ""):
            return "chart"
        if "diagram" in uri:
            return "diagram"
        if not _GRAPHICS.fullmatch(uri):
            return "embedded object"
    return "picture" if next(_embedded_in(element), None) is not None else ""


def _embedded_in(element: Any) -> Iterator[Any]:
    """The pictures in a drawing, those that fill a shape included."""
    yield from element.iter(f"{PIC}pic", f"{V}imagedata", f"{A}blipFill")
    for fill in element.iter(f"{V}fill", f"{V}stroke"):
        if any(name.startswith(R) for name in fill.attrib):
            yield fill


def _replace(element: Any, words: str) -> None:
    """Words of ours in place of an element of a run."""
    mark = element.makeelement(f"{W}t")
    mark.text = words
    if (parent := element.getparent()).tag in (f"{MC}Choice", f"{MC}Fallback"):
        element, parent = parent.getparent(), parent.getparent().getparent()
    parent.replace(element, mark)


def _clean_attributes(element: Any, names: Names) -> None:
    tag, attrs = element.tag, element.attrib
    for name in list(attrs):
        plain = name.rpartition("}")[2]
        if _IDS.fullmatch(plain) or (tag.startswith(V) and plain in _VML_TEXTS):
            del attrs[name]
    if tag == f"{W}bookmarkStart":
        attrs[f"{W}name"] = names.bookmark(attrs.get(f"{W}name", ""))
    elif tag == f"{W}hyperlink" and f"{W}anchor" in attrs:
        attrs[f"{W}anchor"] = names.bookmark(attrs[f"{W}anchor"])
    elif local(element) in ("docPr", "cNvPr") and "name" in attrs:
        attrs["name"] = f"Shape {attrs.get('id', '')}".rstrip()
    if f"{W}author" in attrs:
        number = names.author(attrs[f"{W}author"])
        attrs[f"{W}author"] = f"Author {number}"
        if f"{W}initials" in attrs:
            attrs[f"{W}initials"] = f"A{number}"
        attrs.pop(f"{W}date", None)


def _clean_text(element: Any) -> None:
    """Leave no text where none is read."""
    element.tail = None
    if element.tag in TEXTS or element.tag == f"{W}instrText":
        return
    placed = element.tag.startswith((WP, _OFFICE))
    if element.text and not (placed and _PLACES.fullmatch(element.text.strip())):
        element.text = None


def clean_settings(root: Any) -> None:
    """Leave of the settings of a document those of its layout."""
    for element in list(root):
        if element.tag != f"{W}{local(element)}" or local(element) not in _SETTINGS:
            root.remove(element)


def clean_numbering(root: Any, keep_images: bool) -> None:
    """Take names and pictures out of the numbering of a document."""
    tags = [f"{W}name"]
    tags += [] if keep_images else [f"{W}numPicBullet", f"{W}lvlPicBulletId"]
    for element in [*root.iter(*tags)]:
        remove(element)


def clean_styles(root: Any) -> None:
    """Take out of styles who has changed them."""
    for element in [*root.iter()]:
        if element.tag.endswith("Change") or element.tag == f"{W}rsid":
            remove(element)
