"""Hiding in plain sight, attacked: somebody who knows this program and all its lists
tries to tell the names that a detector has missed from the surrogates around them
(Carrell et al. 2013; trained on de-identified text, the "parrot attack" of Carrell et
al. 2019).

The attacker is told where the names are and of what type: what is measured bounds what
one can do who has to find them.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy
from spacy.tokens import Doc, Span

from ..data import faker_lists
from ..gazetteers.frequencies import everyday_words
from ..gazetteers.name_letters import guess_language
from ..gazetteers.names import drawn_names, load_names
from ..gazetteers.readers import make_seed_terms
from ..schema import DEID_KEY, MASK_KEY, NO_MASK, PII_KEY, QUASI, Candidate, set_decided
from ..surrogates.coined import FIRMS
from ..text import names
from ..text.countries import countries
from ..text.offsets import to_new
from .bootstrap import interval, resample, shares

# Types whose mentions are names, for the most part.
NAME_LABELS = ("PERSON", "LOC", "ORG")
NEEDS_SKLEARN = (
    "the attacks need scikit-learn: install the extra, "
    "pip install 'spacy-deid[benchmark]'"
)

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_POSSESSIVE = re.compile(r"['’]s?$")
_AROUND = 40


class Name(NamedTuple):
    """A name in a de-identified text by its offsets, with its semantic type; `original`
    says whether it stood in the text before: what the attacker wants."""

    start: int
    end: int
    label: str
    original: bool


class Release(NamedTuple):
    """A de-identified text and the names in it, in text order."""

    text: str
    names: list[Name]


# Originals' probabilities, shape (names,).
Scorer = Callable[[Release], numpy.ndarray]


# --- documents with leaks ---


def choose_leaks(
    doc: Doc, rng: random.Random, share: tuple[float, float] = (0.05, 0.1)
) -> set[str]:
    """Ids of entities that a detector might have missed: a random share of those named.

    All mentions of an entity are missed together: of one missed in part, the
    pseudonymizer would find the rest.
    """
    named = (span for span in doc.spans[PII_KEY] if span.label_ in NAME_LABELS)
    p = rng.uniform(*share)
    return {id_ for id_ in dict.fromkeys(s.id_ for s in named) if rng.random() < p}


def mask_gold(doc: Doc, leaks: Collection[str] = ()) -> Doc:
    """A copy of a gold document as detectors and risk scorer hand it to the
    pseudonymizer; a span without a decision is NO_MASK, or QUASI if nothing was
    decided."""
    decisions = {(s.start, s.end, s.id_): s.label_ for s in doc.spans.get(MASK_KEY, ())}
    spans = [span for span in doc.spans[PII_KEY] if span.id_ not in leaks]
    numbers: dict[str, int] = {}
    ids = [numbers.setdefault(span.id_, len(numbers)) for span in spans]
    default = NO_MASK if decisions else QUASI
    found = [decisions.get((s.start, s.end, s.id_), default) for s in spans]
    new = doc.copy()
    new.spans.clear()
    candidates = [Candidate(s.start, s.end, s.label_, "", 1.0, "gold") for s in spans]
    set_decided(new, candidates, found, ids)
    return new


def release(doc: Doc, pseudonymizer: Any, leaks: Collection[str] = ()) -> Release:
    """De-identify a gold document, some of its entities missed: the new text with its
    surrogates, and those mentions of the entities that came through as they were."""
    missed = [span for span in doc.spans[PII_KEY] if span.id_ in leaks]
    return find_names(pseudonymizer(mask_gold(doc, leaks)), missed)


def release_often(
    docs: Sequence[Doc],
    pseudonymizer: Any,
    repeats: int,
    share: tuple[float, float] = (0.05, 0.1),
    seed: int = 0,
) -> tuple[list[Release], list[int]]:
    """De-identify gold documents several times, each time with another key and other
    entities missed: the releases, and the index of each one's document."""
    releases, groups = [], []
    for repeat in range(repeats):
        pseudonymizer.set_key(f"attack {seed} {repeat}".encode())
        for i, doc in enumerate(docs):
            leaks = choose_leaks(doc, random.Random(f"{seed} {repeat} {i}"), share)
            releases.append(release(doc, pseudonymizer, leaks))
            groups.append(i)
    pseudonymizer.set_key(None)
    return releases, groups


def find_names(doc: Doc, originals: Iterable[Span]) -> Release:
    """The names in the new text of a document that has been pseudonymized: surrogates
    and originals that have a capital."""
    rows, text = doc._.deid_offsets, doc._.deid_text
    found = []
    for span, (a, b, start, end) in zip(doc.spans[DEID_KEY], rows, strict=True):
        found.append((start, end, span.label_, doc.text[a:b] == text[start:end]))
    for span in originals:
        a, b = span.start_char, span.end_char
        if not any(row[0] < b and a < row[1] for row in rows):
            start = to_new(rows, a)
            found.append((start, start + b - a, span.label_, True))
    kept: dict[tuple[int, int], Name] = {}
    for name in map(Name._make, sorted(found)):
        capital = any(map(str.isupper, text[name.start : name.end]))
        if name.label in NAME_LABELS and capital:
            kept.setdefault((name.start, name.end), name)
    return Release(text, list(kept.values()))


# --- what the attacker knows ---


@cache
def lexicons() -> Mapping[str, frozenset[str]]:
    """Words of all lists that detectors and surrogates use, folded, by kind."""
    terms: dict[str, list[str]] = {}
    for term in make_seed_terms():
        terms.setdefault(f"seed_{term.source or term.label}", []).append(term.term)
    known = load_names()
    faker = faker_lists("person.en")
    lists = {
        **terms,
        "names_given": list(known.given),
        "names_family": list(known.family),
        "drawn_names": list(drawn_names()),
        "drawn_faker": [*faker.first_names, *faker.last_names],
        "drawn_faker_towns": [place[2] for place in faker_lists("geo").land_coords],
        "drawn_towns": [town for c in countries() for town in (*c.cities, *c.regions)],
        "drawn_countries": [c.name for c in countries()],
        "drawn_companies": list(FIRMS),
    }
    found = {kind: map(split_words, texts) for kind, texts in lists.items()}
    return {
        kind: frozenset(chain.from_iterable(words)) for kind, words in found.items()
    }


@cache
def _triples() -> frozenset[str]:
    """Runs of three letters in names that surrogates are drawn from."""
    drawn = lexicons()["drawn_names"]
    return frozenset(triple for name in drawn for triple in _triples_of(name))


def _triples_of(word: str) -> list[str]:
    padded = f"^{word}$"
    return [padded[i : i + 3] for i in range(len(padded) - 2)]


def split_words(text: str) -> list[str]:
    """Words of a name without digits and possessive endings, folded."""
    return [names.fold(_POSSESSIVE.sub("", word)) for word in _WORD.findall(text)]


def lexicon_scorer(lists: Iterable[Collection[str]] | None = None) -> Scorer:
    """The plain string matcher: a name is a surrogate as far as its words are in the
    lists that surrogates are drawn from.

    RETURNS (Callable): Function of a release, giving the share of each name's words
        that are in no list, shape (names,).
    """
    if lists is None:
        lists = [words for kind, words in lexicons().items() if "drawn" in kind]
    known = frozenset(word for words in lists for word in words)

    def score(release: Release) -> numpy.ndarray:
        out = []
        for name in release.names:
            words = split_words(release.text[name.start : name.end])
            words = [w for w in words if names.title_gender(w) is None]
            new = [w not in known for w in words if w not in names.PARTICLES]
            out.append(sum(new) / len(new) if new else 0.5)
        return numpy.asarray(out, dtype="float64")

    return score


def _context(text: str, start: int, end: int) -> tuple[str, str]:
    """The words, or marks, right before and after a name."""
    before = re.findall(r"\w+|[^\w\s]", text[max(0, start - _AROUND) : start])
    after = re.match(r"\s*(\w+|[^\w\s])", text[end : end + _AROUND])
    first = before[-1].casefold() if before else ""
    return first, after.group(1).casefold() if after else ""


def describe(release: Release) -> list[dict[str, float]]:
    """What an attacker may go by: lists, case, frequency in the document, type,
    neighbours, letters. Whether names are originals is not looked at."""
    text = release.text
    texts = [text[name.start : name.end] for name in release.names]
    words = [split_words(each) for each in texts]
    n_texts = Counter(map(names.fold, texts))
    n_words = Counter(word for each in words for word in set(each))
    in_text = Counter(split_words(text))
    named = zip(release.names, words)
    languages = [guess_language(x) if n.label == "PERSON" else "" for n, x in named]
    n_languages = Counter(filter(None, languages))
    rows = []
    for name, own, each, language in zip(release.names, texts, words, languages):
        content = [w for w in each if names.title_gender(w) is None and len(w) > 1]
        repeats = [n_words[word] for word in content] or [1]
        # Words that stand elsewhere, in no name.
        elsewhere = max((in_text[w] - n_words[w] for w in content), default=0)
        before, after = _context(text, name.start, name.end)
        row = {
            **_of_lists(content),
            **_of_letters(content),
            f"words={min(len(each), 6)}": 1.0,
            "length": len(own) / 10,
            f"shape={_shape(own)}": 1.0,
            "same": float(numpy.log2(n_texts[names.fold(own)])),
            "partly": float(numpy.log2(min(repeats))),
            "partly most": float(numpy.log2(max(repeats))),
            "elsewhere": float(numpy.log2(1 + elsewhere)),
            f"before={before}": 1.0,
            f"after={after}": 1.0,
        }
        row = {f"{name.label} {key}": value for key, value in row.items()}
        row["bias"] = 1.0
        if language:
            row[f"language={language}"] = 1.0
            row["language of others"] = (n_languages[language] - 1) / len(texts)
        rows.append(row)
    return rows


def _of_lists(content: Sequence[str]) -> dict[str, float]:
    """Which lists have the words of a name, and whether these are everyday words."""
    row: dict[str, float] = {}
    n = max(len(content), 1)
    listed: set[str] = set()
    for title, known in lexicons().items():
        hits = [word for word in content if word in known]
        listed.update(hits)
        row[f"share {title}"] = len(hits) / n
        row[f"all {title}"] = float(len(hits) == len(content) > 0)
    row["unlisted"] = (len(content) - len(listed)) / n
    frequencies = everyday_words("en")
    row["common"] = max((frequencies.get(word, 0.0) for word in content), default=0.0)
    # Names put together of known ones have no other triples.
    triples = [triple for word in content for triple in _triples_of(word)]
    strange = sum(triple not in _triples() for triple in triples)
    row["strange"] = strange / max(len(triples), 1)
    row["strange any"] = float(strange > 0)
    unlisted = len(listed) < len(set(content))
    row["unlisted, not strange"] = float(unlisted and not strange)
    return row


def _of_letters(content: Iterable[str]) -> dict[str, float]:
    """Beginnings, ends and pairs of letters of the words of a name."""
    out = {}
    for word in content:
        padded = f"^{word}$"
        for size in (1, 2, 3):
            out[f"starts {padded[: size + 1]}"] = 1.0
            out[f"ends {padded[-size - 1 :]}"] = 1.0
        for a, b in pairwise(padded):
            out[f"pair {a}{b}"] = 1.0
    return out


def _shape(text: str) -> str:
    shape = "".join(
        "X" if ch.isupper() else "x" if ch.isalpha() else "0" if ch.isdigit() else ch
        for ch in text
    )
    return re.sub(r"(.)\1+", r"\1", shape)[:12]


def train_attacker(releases: Iterable[Release]) -> Scorer:
    """A logistic regression over `describe`, trained on documents that the attacker has
    de-identified with the same program: how sure it is of a name that it is an original.

    RAISES (ValueError): If all names are of one kind.
    RAISES (ImportError): If scikit-learn is not installed.
    """
    try:
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import MaxAbsScaler
    except ImportError as error:
        raise ImportError(NEEDS_SKLEARN) from error
    releases = list(releases)
    answers = [name.original for each in releases for name in each.names]
    if len(set(answers)) < 2:
        needed = "an attacker learns from surrogates and from originals"
        raise ValueError(f"{needed}; there are {len(answers)} names, all of one kind")
    # Balanced, so that the threshold .5 is that of the largest advantage.
    classifier = LogisticRegression(C=0.1, class_weight="balanced", max_iter=500)
    model = make_pipeline(DictVectorizer(), MaxAbsScaler(), classifier)
    model.fit([row for each in releases for row in describe(each)], answers)

    def score(release: Release) -> numpy.ndarray:
        rows = describe(release)
        return model.predict_proba(rows)[:, 1] if rows else numpy.zeros(0)

    return score


# --- how well it does ---


def measure(
    releases: Sequence[Release],
    scorer: Scorer,
    threshold: float = 0.5,
    labels: Collection[str] = NAME_LABELS,
    groups: Sequence[int] | None = None,
    bootstrap: int = 1000,
    seed: int = 0,
) -> dict[str, Any]:
    """The advantage of an attacker.

    RETURNS (dict): `originals` and `surrogates`, their numbers; `tpr`, the share of
        originals called so, `fpr`, that of surrogates; `advantage`, tpr - fpr; `auc`;
        `precision`, the share of originals in what it calls so; `confidence`, [low,
        high] of `advantage` and `auc`. None where there is nothing to divide by.
    """
    groups = range(len(releases)) if groups is None else groups
    rows = [
        (group, name.original, score)
        for group, each in zip(groups, releases, strict=True)
        for name, score in zip(each.names, scorer(each).tolist(), strict=True)
        if name.label in labels
    ]
    columns = zip(*rows) if rows else ((), (), ())
    group, original, scores = map(numpy.asarray, columns)
    original = original.astype(bool)
    _, where = numpy.unique(group, return_inverse=True)
    values, rank = numpy.unique(scores, return_inverse=True)
    # Names by document; originals by score, then surrogates by score.
    counts = numpy.zeros((len(set(group.tolist())), 2 * len(values)))
    numpy.add.at(counts, (where, rank + len(values) * ~original), 1)
    called = values > threshold
    plain = _rates(counts.sum(axis=0)[None], called)
    rates = {k: None if numpy.isnan(v[0]) else float(v[0]) for k, v in plain.items()}
    numbers = {"originals": int(original.sum()), "surrogates": int((~original).sum())}
    out: dict[str, Any] = {**numbers, **rates}
    if bootstrap:
        samples = _rates(resample(counts, bootstrap, seed), called)
        out["confidence"] = {k: interval(samples[k]) for k in ("advantage", "auc")}
    return out


def _rates(sums: numpy.ndarray, called: numpy.ndarray) -> dict[str, numpy.ndarray]:
    """Rates for sums over documents: of originals by score, then of surrogates, shape
    (samples, 2 * scores); `called` says which scores are called originals."""
    yes, no = numpy.split(sums, 2, axis=1)
    n_yes, n_no = yes.sum(axis=1), no.sum(axis=1)
    true, false = yes[:, called].sum(axis=1), no[:, called].sum(axis=1)
    # Pairs in which the original has the higher score; equal ones count half.
    pairs = (yes * (numpy.cumsum(no, axis=1) - no / 2)).sum(axis=1)
    tpr, fpr = shares(true, n_yes), shares(false, n_no)
    rates = {"tpr": tpr, "fpr": fpr, "advantage": tpr - fpr}
    auc, precision = shares(pairs, n_yes * n_no), shares(true, true + false)
    return {**rates, "auc": auc, "precision": precision}
