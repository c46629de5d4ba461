"""Decisions in displaCy's colours, and a document before and after, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from spacy.tokens import Doc

from .schema import DEID_KEY, DIRECT, MASK_KEY, NO_MASK, QUASI, with_attrs

# Of labels that displaCy has no colour of its own for.
COLORS = {
    DIRECT: "#f4a6a6",
    QUASI: "#f7d58a",
    NO_MASK: "#b9dfc3",
    "CODE": "#c3b5f0",
    "DEM": "#f2b8da",
    "DATETIME": "#bfe1d9",
    "MISC": "#d7dbe2",
}
_STYLE = "white-space: pre-wrap; vertical-align: top; text-align: left; width: 50%"
# Start, end, title and decision of what is marked in a text.
Mark = tuple[int, int, str, str]


class Html(str):
    """Markup that a notebook shows as what it says."""

    def _repr_html_(self) -> str:
        return str(self)


def make_diff(doc: Doc) -> Html | None:
    """A document's text and its new text side by side, as HTML: what was replaced and
    what was found and kept is marked by its decision; the title of a mark tells type,
    decision and reason. It holds the originals.

    doc (Doc): After the pseudonymizer.
    RETURNS (Optional[Html]): The markup; None if the document has no new text.
    """
    text, rows = doc._.deid_text, doc._.deid_offsets
    if text is None or rows is None or DEID_KEY not in doc.spans:
        return None
    reasons, before = _decided(doc)
    after: list[Mark] = []
    replaced = with_attrs(doc.spans[DEID_KEY], decisions=DIRECT)
    for (span, decision), (start, end, new, new_end) in zip(replaced, rows):
        reason = reasons.get((start, end), "")
        title = _title(f"{span.label_} {span.id_}".strip(), decision, reason)
        before.append((start, end, title, decision))
        after.append((new, new_end, title, decision))
    sides = _marked(doc.text, before), _marked(text, after)
    cells = "".join(f'<td dir="auto" style="{_STYLE}">{side}</td>' for side in sides)
    head = '<th style="text-align: left">before</th><th style="text-align: left">after</th>'
    table = '<table class="spacy-deid-diff" style="width: 100%">'
    return Html(f"{table}<tr>{head}</tr><tr>{cells}</tr></table>")


def _title(kind: str, decision: str, reason: str) -> str:
    return f"{kind}, {decision}" + (f": {reason}" if reason else "")


def _decided(doc: Doc) -> tuple[dict[tuple[int, int], str], list[Mark]]:
    """Reasons by offsets, and the marks of what was found and is not masked."""
    reasons, kept = {}, []
    group = doc.spans.get(MASK_KEY)
    facts = with_attrs(group, labels="", reasons="") if group else ()
    for span, label, reason in facts:
        place = span.start_char, span.end_char
        reasons[place] = reason
        if span.label_ == NO_MASK:
            kept.append((*place, _title(label, NO_MASK, reason), NO_MASK))
    return reasons, kept


def _marked(text: str, marks: Iterable[Mark]) -> str:
    out, last = [], 0
    for start, end, title, decision in sorted(marks):
        if start < last:
            continue
        out.append(escape(text[last:start]))
        style = f"background: {COLORS.get(decision, COLORS[DIRECT])}; color: #1c2330"
        mark = f'<mark dir="auto" style="{style}" title="{escape(title)}">'
        out.append(f"{mark}{escape(text[start:end])}</mark>")
        last = end
    return "".join(out) + escape(text[last:])
