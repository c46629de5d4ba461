"""The grammar of the synthetic corpus: template files and what they expand to.

`@rule` starts a rule, each further line is one expansion. `%3 ` at its start is a
weight, `\\n` a line break, `[a|b|]` alternatives, `{name}` a slot or a rule,
`{name*2-4:par}` several different expansions joined by line breaks or spaces,
`{name#tag}` the same expansion wherever the tag returns, `{role.form}` a form or datum
of a person (`{.form}` of the one whose rule it is), `{=ORG.COURT/N:...}` text labelled
ORG, subtype COURT, NO_MASK (`/D` DIRECT, `/Q` QUASI, `/S` DIRECT of the subject alone,
else QUASI, `/O` QUASI of the subject alone, else NO_MASK).

`{2-40}` is a number, `{00-59}` filled up with zeros, `{2-40w}` in words, `{1-99o}` an
ordinal, `{1-9999,}` with thousands marked; `{~%##-?}` digits and letters (`%` a digit
but zero, `#` any, `?` a capital letter, `~` hexadecimal); `{near%-d %B}` a date near
the document's own in a format of `strftime`, in the document's language (`%o` is the
ordinal of the day).

Before a name, `^` gives capitals, `_` lower case, `+` a first capital, `-` no label,
`&` the indefinite article, `$` the first letter, `!` plain ASCII letters and digits,
`:` groups of four.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ...data import facts

TEMPLATES = Path(__file__).parents[1] / "templates"


class Part(NamedTuple):
    """A word or some words of a mention, as the mention was first written."""

    start: int
    end: int
    kind: str


FACTS = facts("synthetic")
# What a part is among the package's subtypes; a title is none of them.
PART_SUBTYPES: dict[str, str] = FACTS["part_subtypes"]
PART_KINDS = ("TITLE", *PART_SUBTYPES)


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


# What a template is made of, beside plain text. A number's form is "", "w", "o" or ","; a
# mention's identifier type a letter or "".
class Alt(NamedTuple):
    options: list[list[Any]]


class Ref(NamedTuple):
    name: str
    mods: str = ""
    low: int = 1
    high: int = 1
    sep: str = " "
    tag: str = ""


class Number(NamedTuple):
    low: int
    high: int
    width: int
    form: str


class Digits(NamedTuple):
    pattern: str


class When(NamedTuple):
    kind: str
    form: str


class Labelled(NamedTuple):
    label: str
    subtype: str
    ident: str
    body: list[Any]


Node = Any
_NUMBER = re.compile(r"(\d+)-(\d+)([wo,]?)$")
_WHEN = re.compile(r"([a-z]+)(%.+)$")
_REF = re.compile(
    r"([\^_+\-&$!:]*)([A-Za-z0-9_.]+)(?:\*(\d+)(?:-(\d+))?(?::(.*))?)?(?:#(\w+))?$",
    re.S,
)
_HEAD = re.compile(r"=([A-Z]+)(?:\.([A-Z_]+))?(?:/([DQNSO]))?:")
_SEPARATORS = {"nl": "\n", "par": "\n\n", "sp": " ", "comma": ", ", "none": ""}
_ESCAPES = {"n": "\n", "t": "\t"}


def parse_template(text: str) -> list[Node]:
    """Parse one expansion of the grammar."""
    nodes, end = _parse(text, 0, "")
    if end != len(text):
        raise ValueError(f"template: unmatched bracket at {end}: {text!r}")
    return nodes


def _parse(text: str, i: int, stops: str) -> tuple[list[Node], int]:
    nodes: list[Node] = []
    while i < len(text) and text[i] not in stops:
        node: Node
        if text[i] == "[":
            node, i = _parse_alternatives(text, i)
        elif text[i] == "{":
            node, i = _parse_slot(text, i)
        else:
            if (node := text[i]) == "\\" and i + 1 < len(text):
                i += 1
                node = _ESCAPES.get(text[i], text[i])
            i += 1
        if isinstance(node, str) and nodes and isinstance(nodes[-1], str):
            nodes[-1] += node
        else:
            nodes.append(node)
    return nodes, i


def _parse_alternatives(text: str, i: int) -> tuple[Alt, int]:
    options = []
    while True:
        option, i = _parse(text, i + 1, "|]")
        if i >= len(text):
            raise ValueError(f"template: unclosed alternative: {text!r}")
        options.append(option)
        if text[i] == "]":
            return Alt(options), i + 1


def _parse_slot(text: str, i: int) -> tuple[Node, int]:
    node: Node
    if head := _HEAD.match(text, i + 1):
        body, end = _parse(text, head.end(), "}")
        label, subtype, ident = head.groups()
        node = Labelled(label, subtype or "", ident or "", body)
    else:
        end = text.find("}", i)
        node = _parse_name(text[i + 1 : end]) if end > 0 else None
        if node is None:
            raise ValueError(f"template: bad slot at {i}: {text!r}")
    if end >= len(text):
        raise ValueError(f"template: unclosed slot: {text!r}")
    return node, end + 1


def _parse_name(inner: str) -> Node | None:
    if inner.startswith("~"):
        return Digits(inner[1:])
    if match := _NUMBER.match(inner):
        low, high, form = match.groups()
        return Number(int(low), int(high), len(low) if low.startswith("0") else 0, form)
    if match := _WHEN.match(inner):
        return When(*match.groups())
    if match := _REF.match(inner):
        mods, name, low, high, sep, tag = match.groups()
        first, last = int(low or 1), int(high or low or 1)
        return Ref(name, mods, first, last, _SEPARATORS.get(sep, sep or " "), tag or "")
    return None


class Rule(NamedTuple):
    """The expansions of one rule, with their weights."""

    options: list[list[Node]]
    weights: list[float]


@cache
def grammar(name: str, folder: str = "en") -> dict[str, Rule]:
    """Rules of one template file."""
    rules: dict[str, Rule] = {}
    path = TEMPLATES / folder / f"{name}.txt"
    for line in path.read_text(encoding="utf8").splitlines():
        if not line.strip() or line.startswith("# "):
            continue
        if line.startswith("@"):
            current = rules.setdefault(line[1:].strip(), Rule([], []))
            continue
        weight = re.match(r"%([\d.]+) ", line)
        current.options.append(parse_template(line[weight.end() :] if weight else line))
        current.weights.append(float(weight[1]) if weight else 1.0)
    return rules


def read_table(name: str, folder: str = "") -> list[list[str]]:
    """Lines of a table below `templates`, cut at "|"."""
    text = (TEMPLATES / folder / f"{name}.txt").read_text(encoding="utf8")
    return [x.split("|") for x in text.splitlines() if x and not x.startswith("#")]
