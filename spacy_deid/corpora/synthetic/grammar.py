"""The grammar of the synthetic corpus: template files and what they expand to.

`@rule` starts a rule, each further line is one expansion. `%3 ` at its start is a
weight, `\\n` a line break, `[a|b|]` alternatives, `{name}` a slot or a rule,
`{name*2-4:par}` several different expansions joined by line breaks or spaces,
`{name#tag}` the same expansion wherever the tag returns, `{=ORG.COURT/N:...}` text
labelled ORG, subtype COURT, NO_MASK. Before a name, `^` gives capitals, `_` lower
case, `+` a first capital, `-` no label, `&` the indefinite article.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ...schema import DIRECT, NO_MASK, QUASI, SEMANTIC_TYPES

TEMPLATES = Path(__file__).parents[1] / "templates"


_IDENT = {"D": DIRECT, "Q": QUASI, "N": NO_MASK}
_DEFAULT_IDENT = dict.fromkeys(SEMANTIC_TYPES, QUASI) | {"DEM": NO_MASK}


class Part(NamedTuple):
    """A word or some words of a mention, as the mention was first written.

    start (int): Offset of its first character in the mention's `source`.
    end (int): Offset after its last one.
    kind (str): One of `PART_KINDS`.
    """

    start: int
    end: int
    kind: str


PART_KINDS = (
    "TITLE", "MALE", "FEMALE", "FAMILY_NAME", "STREET", "HOUSE_NUMBER", "POSTCODE",
    "CITY",
)  # fmt: skip


@dataclass
class Piece:
    """A stretch of text, labelled or not.

    text (str): The text.
    label (str): Semantic type or "".
    subtype (str): Subtype or "".
    ident (str): Identifier type or "".
    key (str): What the text refers to: pieces of one key are one entity.
    role (str): Role of the person it names or belongs to, "" for nobody's.
    parts (tuple[Part, ...]): What is known of the text's own parts, in order.
    source (str): The text that the offsets of the parts refer to.
    """

    text: str
    label: str = ""
    subtype: str = ""
    ident: str = ""
    key: str = ""
    role: str = ""
    parts: tuple[Part, ...] = ()
    source: str = ""


@dataclass
class Alt:
    """One of several sequences."""

    options: list[list[Any]]


@dataclass
class Ref:
    """A slot or a rule, with modifiers and repetition."""

    name: str
    mods: str = ""
    low: int = 1
    high: int = 1
    sep: str = " "
    tag: str = ""


@dataclass
class Labelled:
    """A sequence that is one mention."""

    label: str
    subtype: str
    ident: str
    body: list[Any]


Node = Any
_REF = re.compile(
    r"([\^_+\-&]*)([A-Za-z0-9_.]+)(?:\*(\d+)(?:-(\d+))?(?::(.*))?)?(?:#(\w+))?$", re.S
)
_HEAD = re.compile(r"=([A-Z]+)(?:\.([A-Z_]+))?(?:/([DQN]))?:")
_SEPARATORS = {"nl": "\n", "par": "\n\n", "sp": " ", "comma": ", "}
_ESCAPES = {"n": "\n", "t": "\t"}


def parse_template(text: str) -> list[Node]:
    """Parse one expansion of the grammar."""
    nodes, end = _parse(text, 0, "")
    if end != len(text):
        raise ValueError(f"template: unmatched bracket at {end}: {text!r}")
    return nodes


def _parse(text: str, i: int, stops: str) -> tuple[list[Node], int]:
    nodes: list[Node] = []
    plain: list[str] = []

    def flush() -> None:
        if plain:
            nodes.append("".join(plain))
            plain.clear()

    while i < len(text) and text[i] not in stops:
        char = text[i]
        if char == "\\" and i + 1 < len(text):
            plain.append(_ESCAPES.get(text[i + 1], text[i + 1]))
            i += 2
        elif char == "[":
            flush()
            options = []
            while True:
                option, i = _parse(text, i + 1, "|]")
                if i >= len(text):
                    raise ValueError(f"template: unclosed alternative: {text!r}")
                options.append(option)
                if text[i] == "]":
                    break
            nodes.append(Alt(options))
            i += 1
        elif char == "{":
            flush()
            head = _HEAD.match(text, i + 1)
            if head:
                body, i = _parse(text, head.end(), "}")
                label, subtype, ident = head.groups()
                nodes.append(
                    Labelled(
                        label,
                        subtype or "",
                        _IDENT.get(ident or "", _DEFAULT_IDENT[label]),
                        body,
                    )
                )
            else:
                close = text.find("}", i)
                ref = _REF.match(text[i + 1 : close])
                if close < 0 or ref is None:
                    raise ValueError(f"template: bad slot at {i}: {text!r}")
                mods, name, low, high, sep, tag = ref.groups()
                nodes.append(
                    Ref(
                        name,
                        mods,
                        int(low or 1),
                        int(high or low or 1),
                        _SEPARATORS.get(sep or "sp", sep or " "),
                        tag or "",
                    )
                )
                i = close
            if i >= len(text):
                raise ValueError(f"template: unclosed slot: {text!r}")
            i += 1
        else:
            plain.append(char)
            i += 1
    flush()
    return nodes, i


class Rule(NamedTuple):
    """The expansions of one rule, with cumulative weights."""

    options: list[list[Node]]
    weights: list[float]


@cache
def grammar(name: str, folder: str = "en") -> dict[str, Rule]:
    """Rules of one template file."""
    rules: dict[str, Rule] = {}
    path = TEMPLATES / folder / f"{name}.txt"
    current: Rule | None = None
    for line in path.read_text(encoding="utf8").splitlines():
        if not line.strip() or line.startswith("# "):
            continue
        if line.startswith("@"):
            current = rules.setdefault(line[1:].strip(), Rule([], []))
            continue
        if current is None:
            raise ValueError(f"template file '{name}': text before the first rule")
        weight = 1.0
        match = re.match(r"%([\d.]+) ", line)
        if match:
            weight = float(match.group(1))
            line = line[match.end() :]
        current.options.append(parse_template(line))
        current.weights.append(weight)
    return rules
