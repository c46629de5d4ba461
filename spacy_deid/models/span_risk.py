"""Architecture of `risk_scorer`: hashed features of a span and of its context."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, cast

import numpy
from spacy.attrs import IDX, IS_ALPHA, LENGTH, LOWER, NORM
from spacy.strings import get_string_id
from spacy.tokens import Doc
from thinc.api import Dropout, Maxout, Model, Softmax_v2, chain, uniform_init
from thinc.types import Floats2d

from ..gazetteers.lexicon import ZIPF_BITS, Lexicon, load_lexicon, occupations
from ..registries import registry
from ..schema import Candidate, subtype_of, text_of
from ..text.words import normalize_term
from .ops import distinct_rows
from .word_knowledge import text_kinds

# Tokens of context read on each side of a span: in order, and as a bag.
NEAR = 4
WIDE = 12


class SpanContext(NamedTuple):
    """The spans of one document, as the model reads them.

    spans (Sequence[Candidate]): Its candidate spans, in document order.
    entity_ids (Sequence[int]): Entity of each span.
    """

    doc: Doc
    spans: Sequence[Candidate]
    entity_ids: Sequence[int]


@registry.architectures("spacy_deid.SpanRisk.v1")
def build_span_risk(
    width: int = 24, rows: int = 1500, hidden: int = 64, nO: int | None = None
) -> Model[list[SpanContext], Floats2d]:
    """Identifier type of a span from its type, text, position and neighbours.

    Text is read through hashes only: no word of a training document is kept.

    width (int): Width of the embedding of each feature.
    rows (int): Rows of each embedding table.
    hidden (int): Width of the hidden layer.
    nO (int): Number of identifier types; set by the component.
    RETURNS (Model[List[SpanContext], Floats2d]): Probabilities of the identifier
        types, one row a span, documents one after the other.
    """
    return _build(width, rows, hidden, nO, 0)


@registry.architectures("spacy_deid.SpanRisk.v2")
def build_span_risk_of_people(
    width: int = 24,
    rows: int = 1500,
    hidden: int = 64,
    lexicon: str | None = "en",
    nO: int | None = None,
    groups: bool = False,
) -> Model[list[SpanContext], Floats2d]:
    """As `SpanRisk.v1`, which also sees whom a span may tell of: how many persons the text
    names, how far the nearest is and whether it stands in the same sentence, line or
    paragraph; the kind of the text; how rare the span's words are.

    width, rows, hidden, nO: See `build_span_risk`.
    lexicon (Optional[str]): Language of the lexicon, see `gazetteers/lexicon.py`.
    groups (bool): Whether the words used like the span's last and like its neighbours
        are seen.
    RETURNS (Model[List[SpanContext], Floats2d]): See `build_span_risk`.
    """
    model = _build(width, rows, hidden, nO, N_PEOPLE + (N_GROUPS if groups else 0))
    model.layers[0].attrs.update(lexicon=lexicon, groups=groups)
    return model


def _build(
    width: int, rows: int, hidden: int, nO: int | None, further: int
) -> Model[list[SpanContext], Floats2d]:
    output = Softmax_v2(nO, hidden)
    model: Model = chain(
        span_features(),
        embed_features(width, rows, further),
        Dropout(0.2),
        Maxout(hidden, width * (N_COLUMNS + further + 2), normalize=True),
        output,
    )
    model.set_ref("output_layer", output)
    return model


def embed_features(width: int, rows: int, further: int = 0) -> Model:
    """Embeddings of feature hashes: the near columns side by side, then the means of
    the words on the left and on the right.

    All tables lie in one matrix, so that one look-up serves all columns: dozens of
    small layers would take longer than all their arithmetic. Each hash adds up two
    rows of its table (as in Bloom embeddings), so that few hashes share both.

    rows (int): Rows of the table of a near column; a side's bag has four times as many.
    further (int): Columns that stand before the near ones.
    RETURNS (Model[Ints2d, Floats2d]): From shape (spans, further + N_COLUMNS + 2 * WIDE)
        to shape (spans, (further + N_COLUMNS + 2) * width).
    """
    columns = N_COLUMNS + further
    return Model(
        "embed_features",
        _embed_forward,
        init=_embed_init,
        dims={"nO": width * (columns + 2)},
        params={"E": None},
        attrs={"width": width, "rows": rows, "columns": columns},
    )


def _embed_init(model: Model, X: Any = None, Y: Any = None) -> None:
    if not model.has_param("E"):
        rows = model.attrs["rows"] * (model.attrs["columns"] + 8)
        shape = rows, model.attrs["width"]
        model.set_param("E", uniform_init(model.ops, shape, lo=-0.1, hi=0.1))


# Spans whose rows are added up at a time, in the cache of the processor.
_BLOCK = 512


def _embed_forward(model: Model, X: Any, is_train: bool) -> tuple[Any, Callable]:
    ops, E = model.ops, cast(Any, model.get_param("E"))
    rows, width, n = model.attrs["rows"], model.attrs["width"], X.shape[0]
    if n > _BLOCK and not is_train and isinstance(X, numpy.ndarray):
        first, which = distinct_rows(X)
        if 2 * len(first) < n:
            # One mention again and again, in the same words.
            return _embed_forward(model, X[first], False)[0][which], lambda dY: X
    # Pipelines of before do not say how many columns they have.
    columns = model.attrs.get("columns", N_COLUMNS)
    sizes, starts = _tables(ops.xp, rows, columns)
    low = (X % sizes + starts).astype("int64")
    high = ((X >> ops.xp.uint64(32)) % sizes + starts).astype("int64")
    split = columns * width
    Y = ops.alloc2f(n, split + 2 * width)
    for at in range(0, n, _BLOCK):
        block = slice(at, at + _BLOCK)
        # Three times as fast as E[low] + E[high].
        embedded = E.take(low[block], axis=0)
        embedded += E.take(high[block], axis=0)
        Y[block, :split] = embedded[:, :columns].reshape((-1, split))
        sides = embedded[:, columns:].reshape((-1, 2, WIDE, width)).mean(axis=2)
        Y[block, split:] = sides.reshape((-1, 2 * width))

    def backprop(dY: Any) -> Any:
        dsides = dY[:, split:].reshape((n, 2, 1, width)) / WIDE
        dsides = ops.xp.broadcast_to(dsides, (n, 2, WIDE, width))
        dnear = dY[:, :split].reshape((n, columns, width))
        parts = [dnear, dsides.reshape((n, 2 * WIDE, width))]
        dembedded = ops.xp.concatenate(parts, axis=1).reshape((-1, width))
        dE = ops.alloc2f(*E.shape)
        for ids in (low, high):
            ops.scatter_add(dE, ids.ravel().astype("int32"), dembedded)
        model.inc_grad("E", dE)
        return ops.alloc(X.shape, dtype=X.dtype)

    return Y, backprop


def _tables(xp: Any, rows: int, n: int) -> tuple[Any, Any]:
    """Size of each column's table and its first row in the matrix."""
    near = [(rows, i * rows) for i in range(n)]
    bags = [(4 * rows, (n + 4 * side) * rows) for side in (0, 1)]
    columns = [*near, *[bags[0]] * WIDE, *[bags[1]] * WIDE]
    sizes, starts = zip(*columns)
    return xp.asarray(sizes, dtype="uint64"), xp.asarray(starts, dtype="uint64")


def span_features() -> Model:
    """Hashes of the features of spans, shape (spans, columns), dtype uint64.

    RETURNS (Model[List[SpanContext], Ints2d]): The layer; it has no weights.
    """
    return Model("span_features", _features_forward)


def _features_forward(
    model: Model, X: list[SpanContext], is_train: bool
) -> tuple[Any, Callable]:
    keys: Any = features(X)
    if "lexicon" in model.attrs:
        lexicon = load_lexicon(model.attrs["lexicon"])
        contexts = [context for context in X if context.spans]
        parts = [(_people(contexts, lexicon), N_PEOPLE), (keys, keys.shape[1])]
        if model.attrs.get("groups"):
            parts.insert(1, (_groups(contexts, lexicon), N_GROUPS))
        arrays = [numpy.array(rows, "uint64").reshape(-1, n) for rows, n in parts]
        keys = numpy.concatenate(arrays, axis=1)
    return model.ops.asarray(keys), lambda dY: []


# Type, subtype, text, first, last, shape, length, position, mentions,
# previous type, next type, repeats: and the tokens next to the span.
N_COLUMNS = 14 + 2 * NEAR


# Columns of `_people`, and of `_groups`.
N_PEOPLE, N_GROUPS = 6, 6
# Who stands near is likely to be a person.
_LIKELY = 0.5
# How near a person stands.
_SENTENCE, _LINE, _PARAGRAPH, _TEXT, _NOBODY = range(5)
_BREAKS = tuple(map(re.compile, (r"[.!?]['\")\]]*\s|\n\s*\n", r"\n", r"\n\s*\n")))


def _people(contexts: Sequence[SpanContext], lexicon: Lexicon) -> list[list[int]]:
    """Hashes of what spans have to do with the persons of their texts; of several
    documents that have spans, one after the other."""
    if not contexts:
        return []
    docs = [context.doc for context in contexts]
    tables = [doc.to_array([IDX, LENGTH, LOWER, IS_ALPHA]) for doc in docs]
    # Once for all: a call of numpy for each of many short texts takes longer than its work.
    classes = lexicon.look_up(numpy.concatenate(tables)[:, 2]).tolist()
    rows, first = [], 0
    for context, table, kind in zip(contexts, tables, text_kinds(docs).tolist()):
        spans = context.spans
        starts, lengths, _, alpha = table.T.tolist()
        text = text_of(context.doc)
        near = _nearness(context, starts, text)
        n_people = _expected_people(context)
        for c, (how_near, gap) in zip(spans, near):
            label, last = c.label, c.end - 1
            known = [classes[first + i] for i in range(c.start, c.end) if alpha[i]]
            rarest = min(known, key=lambda k: k & ZIPF_BITS, default=0)
            words = text[starts[c.start] : starts[last] + lengths[last]]
            # How many have an occupation; 0 for one in no list.
            bearers = occupations().get(normalize_term(words), 0)
            people = _bucket(bearers) if label == "DEM" else 0
            rows.append(
                [
                    _IDS[label, "people", min(n_people, 6)],
                    _IDS[label, "near", how_near, gap],
                    _IDS[label, "kind", kind],
                    _IDS[label, "rare", rarest],
                    _IDS[label, subtype_of(c.id, c.source), how_near, min(n_people, 2)],
                    _IDS[label, "bearers", people],
                ]
            )
        first += len(context.doc)
    return rows


def _groups(contexts: Sequence[SpanContext], lexicon: Lexicon) -> list[list[int]]:
    """Hashes of the words used like the last of each span, with its type and by itself,
    and like two on each side."""
    out = []
    for doc, spans, _ in contexts:
        found = lexicon.groups_of(doc.to_array(LOWER).astype("uint64"))
        # Zeros around the text, and for a language without groups.
        padded = numpy.zeros((len(doc) + 4, 2), "int64")
        if found.shape[1]:
            padded[2:-2] = found[:, [0, -1]]
        fine, coarse = padded.T.tolist()
        for c in spans:
            near = (*fine[c.start : c.start + 2], *fine[c.end + 2 : c.end + 4])
            at = c.end + 1
            used = [_IDS["used", group] for group in (fine[at], *near)]
            out.append([_IDS[c.label, "used", coarse[at]], *used])
    return out


def _expected_people(context: SpanContext) -> int:
    """How many persons the text names, each for as much as its detectors are sure."""
    sure: dict[int, float] = {}
    for c, entity in zip(context.spans, context.entity_ids):
        if c.label == "PERSON":
            sure[entity] = max(sure.get(entity, 0.0), c.score)
    return round(sum(sure.values()))


def _nearness(
    context: SpanContext, starts: list[int], text: str
) -> Iterator[tuple[int, int]]:
    """For each span how near another person stands, and the bucket of the tokens between."""
    spans = context.spans
    breaks = [[m.end() for m in pattern.finditer(text)] for pattern in _BREAKS]
    # For each span the number of its sentence, line and paragraph.
    stands = [[bisect(places, starts[c.start]) for places in breaks] for c in spans]
    likely = [c.label == "PERSON" and c.score >= _LIKELY for c in spans]
    persons = [i for i, person in enumerate(likely) if person]
    crowd = [Counter(stands[i][level] for i in persons) for level in range(3)]
    places = [spans[i].start for i in persons]
    for c, where, own in zip(spans, stands, likely):
        near = next((i for i in range(3) if crowd[i][where[i]] > own), _TEXT)
        at = bisect(places, c.start)
        around = places[max(0, at - 2) : at + 2]
        gaps = [abs(place - c.start) for place in around if place != c.start]
        near = near if len(persons) > own else _NOBODY
        yield near, _bucket(min(gaps, default=1 << 12))


# Columns of the tokens next to a span, counted from its start and from its end.
_BAGS = N_COLUMNS, N_COLUMNS + WIDE, N_COLUMNS + 2 * WIDE
_START_COLUMNS = [*range(14, N_COLUMNS, 2), *range(*_BAGS[:2])]
_END_COLUMNS = [*range(15, N_COLUMNS, 2), *range(*_BAGS[1:])]
_START_SHIFTS = numpy.array([-1 - k for n in (NEAR, WIDE) for k in range(n)])
_END_SHIFTS = numpy.array([k for n in (NEAR, WIDE) for k in range(n)])


def features(contexts: Sequence[SpanContext]) -> numpy.ndarray:
    """Feature hashes of the spans of several documents, one after the other.

    RETURNS (ndarray): Shape (spans, N_COLUMNS + 2 * WIDE), dtype uint64.
    """
    contexts = [context for context in contexts if context.spans]
    n = sum(len(context.spans) for context in contexts)
    out = numpy.zeros((n, N_COLUMNS + 2 * WIDE), dtype="uint64")
    if n == 0:
        return out
    keys: list[list[int]] = []
    starts: list[int] = []
    ends: list[int] = []
    # Zeros around each text stand for "outside the document".
    margin = numpy.zeros(WIDE, dtype="uint64")
    norms = [margin]
    offset = WIDE
    for context in contexts:
        keys.extend(_keys(context))
        starts.extend(offset + c.start for c in context.spans)
        ends.extend(offset + c.end for c in context.spans)
        norms += [context.doc.to_array(NORM).astype("uint64"), margin]
        offset += len(context.doc) + WIDE
    tokens = numpy.concatenate(norms)
    out[:, :14] = keys
    out[:, _START_COLUMNS] = tokens[numpy.array(starts)[:, None] + _START_SHIFTS]
    out[:, _END_COLUMNS] = tokens[numpy.array(ends)[:, None] + _END_SHIFTS]
    return out


def _keys(context: SpanContext) -> list[list[int]]:
    """Hashes of what describes each span."""
    doc, spans, entity_ids = context
    n, length = len(spans), len(doc)
    mentions = Counter(entity_ids)
    # Slices of the text: making a Token or a Span for each piece takes far longer.
    whole = text_of(doc)
    begins: Any = doc.to_array(IDX)
    stops = (begins + doc.to_array(LENGTH)).tolist()
    begins = begins.tolist()
    ids = _IDS
    first_seen: set[int] = set()
    seen_types: dict[str, int] = {}
    rows = []
    for i, (c, entity) in enumerate(zip(spans, entity_ids)):
        start, end, label = c.start, c.end, c.label
        text = whole[begins[start] : stops[end - 1]]
        left = whole[begins[start - 1] : stops[start - 1]] if start else ""
        right = whole[begins[end] : stops[end]] if end < length else ""
        before = spans[i - 1] if i else None
        after = spans[i + 1] if i + 1 < n else None
        order = seen_types[label] = seen_types.get(label, -1) + 1
        seen = "True" if entity in first_seen else "False"
        rows.append(
            [
                ids[label,],
                get_string_id(f"{label}|{subtype_of(c.id, c.source)}"),
                get_string_id(text.lower()),
                get_string_id(f"{label}|{_outline(text)}"),
                ids[label, min(end - start, 8)],
                ids[label, start.bit_length(), seen],
                ids[label, 10 * start // length],
                ids[label, mentions[entity].bit_length()],
                ids[_neighbour(c, before)],
                ids[_neighbour(c, after)],
                ids[c.source.partition(":")[0], label],
                ids[label, f"order{order.bit_length()}"],
                get_string_id(f"{label}|{left.lower()}"),
                get_string_id(f"{label}|{right.lower()}"),
            ]
        )
        first_seen.add(entity)
    return rows


class _Ids(dict):
    """Hashes of features that few spans have for themselves: types, numbers in buckets.
    No text of a document is among them."""

    def __missing__(self, parts: tuple[Any, ...]) -> int:
        key = self[parts] = get_string_id("|".join(map(str, parts)))
        return key


_IDS = _Ids()


def _bucket(value: int) -> int:
    """Logarithmic bucket of a count."""
    return int(value).bit_length()


def _outline(text: str) -> str:
    """Shape of a text without its length: runs of one class shrink to one."""
    return _REPEATED.sub(r"\1", text[:60].translate(_KINDS))


class _Kinds(dict):
    """The class of each character, for `str.translate`; kept."""

    def __missing__(self, code: int) -> str:
        ch = chr(code)
        signs = ((ch.isdigit(), "d"), (ch.isupper(), "X"), (ch.isalpha(), "x"))
        kind = self[code] = next((kind for is_kind, kind in signs if is_kind), ch)
        return kind


_KINDS = _Kinds()
_REPEATED = re.compile(r"(.)\1+", re.DOTALL)


def _neighbour(c: Candidate, other: Candidate | None) -> tuple[Any, ...]:
    if other is None:
        return c.label, "none"
    gap = other.start - c.end if other.start >= c.end else c.start - other.end
    return c.label, other.label, _bucket(max(gap, 0))
