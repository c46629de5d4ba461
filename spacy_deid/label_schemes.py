"""Label schemes of other corpora and laws, mapped to and from the package's types.

`data/label_schemes.tsv` is the one place where they meet. A label maps to a semantic type and a subtype
("" if the scheme does not say), or to None if no text of a personal kind answers to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from .data import table
from .registries import registry
from .schema import SEMANTIC_TYPES, group_attr

if TYPE_CHECKING:
    from spacy.tokens import SpanGroup

TypeAndSubtype = tuple[str, str]


def _read_table() -> dict[str, dict[str, TypeAndSubtype | None]]:
    """Scheme -> label -> type and subtype."""
    # Pilan et al. 2022: the types of this package.
    out: dict[str, dict[str, TypeAndSubtype | None]]
    out = {"tab": {label: (label, "") for label in SEMANTIC_TYPES}}
    for row in table("label_schemes"):
        target = (row["type"], row["subtype"]) if row["type"] else None
        out.setdefault(row["scheme"], {})[row["label"]] = target
    return out


TABLE = _read_table()


@dataclass(frozen=True)
class LabelScheme:
    """The labels of a corpus and what they are among the package's types.

    name (str): Name of the scheme.
    labels (tuple[str, ...]): Its labels.
    forward (Mapping): Label -> (type, subtype) or None.
    backward (Mapping): (type, subtype) -> label or None; "*" for any other subtype.
    """

    name: str
    labels: tuple[str, ...]
    forward: Mapping[str, TypeAndSubtype | None] = field(repr=False, compare=False)
    backward: Mapping[TypeAndSubtype, str | None] = field(repr=False, compare=False)

    def to_tab(self, label: str) -> TypeAndSubtype | None:
        """What a label is among the package's types.

        label (str): A label of the scheme.
        RETURNS (Optional[tuple[str, str]]): Semantic type and subtype ("" if the
            scheme does not say), or None if it is no personal information in text.
        RAISES (ValueError): If the scheme has no such label.
        """
        try:
            return self.forward[label]
        except KeyError:
            raise ValueError(
                f"unknown label '{label}' in label scheme '{self.name}'; known are: "
                + ", ".join(self.labels)
            ) from None

    def from_tab(self, type: str, subtype: str = "") -> str | None:
        """The scheme's label for a type.

        type (str): Semantic type.
        subtype (str): Subtype; one that the scheme does not tell apart, a Wikidata
            QID included, is read as the type alone.
        RETURNS (Optional[str]): The label, or None if the scheme does not annotate it.
        RAISES (ValueError): If there is no such semantic type.
        """
        if type not in SEMANTIC_TYPES:
            raise ValueError(
                f"unknown semantic type '{type}' for label scheme '{self.name}'; "
                "known are: " + ", ".join(SEMANTIC_TYPES)
            )
        if (type, subtype) in self.backward:
            return self.backward[type, subtype]
        return self.backward.get((type, "*"))

    def translate(self, label: str, other: LabelScheme) -> str | None:
        """A label of this scheme in another one.

        label (str): A label of this scheme.
        other (LabelScheme): The other scheme.
        RETURNS (Optional[str]): Its label, or None if it annotates nothing of the kind.
        RAISES (ValueError): If this scheme has no such label.
        """
        target = self.to_tab(label)
        if self == other:
            return label
        return None if target is None else other.from_tab(*target)

    @property
    def covers(self) -> tuple[str, ...]:
        """Semantic types that the scheme annotates at all. In a corpus labelled with
        it, the others may stand anywhere without a mark: unknown, not absent."""
        types = {t[0] for t in self.forward.values() if t is not None}
        return tuple(t for t in SEMANTIC_TYPES if t in types)


@cache
def _backward(name: str) -> dict[TypeAndSubtype, str | None]:
    back: dict[TypeAndSubtype, str | None] = {}
    for label, target in TABLE[name].items():
        if target is not None:
            type_, subtype = target
            back.setdefault((type_, subtype or "*"), label)
    for row in table("label_schemes_back"):
        if row["scheme"] == name:
            back[row["type"], row["subtype"]] = row["label"] or None
    return back


@registry.misc("spacy_deid.label_scheme.v1")
def make_label_scheme(
    name: str = "tab", labels: Mapping[str, str | None] | None = None
) -> LabelScheme:
    """A label scheme by name.

    name (str): One of `tab`, `emails`, `essays`, `hipaa`, `ontonotes`, `presidio`,
        `meddocan`, `conll`, `btc`, `wnut17`, `germeval2014`, `factrueval2016`.
    labels (Optional[Mapping[str, Optional[str]]]): A label map, for labels that are not
        of the scheme or mean something else: label -> semantic type ("PERSON") or type
        and subtype ("CODE:EMAIL"); None for what is no personal information.
    RETURNS (LabelScheme): The scheme.
    RAISES (ValueError): If there is no such scheme, or no such type.
    """
    if name not in TABLE:
        problem = f"unknown label scheme '{name}'; known are: " + ", ".join(TABLE)
        raise ValueError(problem)
    if not labels:
        return LabelScheme(name, tuple(TABLE[name]), TABLE[name], _backward(name))
    forward = TABLE[name] | {k: _read_target(k, to) for k, to in labels.items()}
    title = f"{name}, with a label map"
    return LabelScheme(title, tuple(forward), forward, _backward(name))


def _read_target(label: str, target: str | None) -> TypeAndSubtype | None:
    if target is None:
        return None
    type_, _, subtype = str(target).partition(":")
    if type_ not in SEMANTIC_TYPES:
        raise ValueError(
            f"label map: '{label}' can't be '{target}'; semantic types are "
            + ", ".join(SEMANTIC_TYPES)
        )
    return type_, subtype


def gold_labels(group: SpanGroup, scheme: LabelScheme) -> list[str | None]:
    """Labels of gold spans in any scheme.

    group (SpanGroup): Gold as `corpora.readers.make_gold_doc` writes it. Its attrs
        `scheme` and `native` hold the labels it was annotated with, `subtypes` what
        is known beyond the spans' own labels, semantic types.
    scheme (LabelScheme): The scheme asked for.
    RETURNS (list[Optional[str]]): For each span the label it was annotated with if that is
        of this scheme; else what the table makes of it, or None if the scheme has no such
        label.
    """
    name, native = group.attrs.get("scheme"), group.attrs.get("native", ())
    # After a change by hand the lists no longer belong to the spans.
    if name in TABLE and len(native) == len(group):
        known = make_label_scheme(name)
        return [known.translate(label, scheme) for label in native]
    subtypes = group_attr(group, "subtypes", "")
    return [scheme.from_tab(s.label_, subtype) for s, subtype in zip(group, subtypes)]
