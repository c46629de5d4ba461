"""The votes for the entities of a document, and what becomes of each."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy
from spacy.attrs import IS_LOWER, IS_PUNCT, IS_SPACE, IS_STOP, LOWER
from spacy.strings import get_string_id

from ..lang.persons import told_words
from ..models.span_risk import SpanContext
from ..schema import DIRECT, NO_MASK, QUASI, strictest, text_of
from .base import Vote
from .combinations import Decision, EntityVotes
from .gold import COLUMN, entities_of

# Name of the component's own model among the indicators.
CLASSIFIER = "classifier"
# A text of so many words tells half of what a long one does about who is in it.
_SHORT = 50
# Times that open so many lines are a series.
_SERIES = 3
_INDENT = 80
# What the classifier takes a span for, in its reasons.
_KINDS = {DIRECT: "direct", QUASI: "quasi", NO_MASK: "no"}
# Types that point at somebody or somewhere by themselves. The name that a text is about
# stands in it again and again, and is no better left in clear for that; nor is a word
# that may be a name of which the recognizer got the type wrong.
_POINTING = frozenset(("PERSON", "CODE", "LOC"))
Votes = Sequence[Vote | None]


@dataclass
class Case:
    """An entity with its votes and what was decided.

    mentions (List[int]): Indices of its spans.
    votes (Mapping[str, Optional[Vote]]): By name of the indicator, those that could not
        judge included.
    direct (float): The classifier's probability of a direct identifier.
    words (int), presence (float): See `EntityVotes`.
    """

    mentions: list[int]
    votes: Mapping[str, Vote | None]
    direct: float = 0.0
    words: int = 1
    presence: float = 1.0
    decision: Decision = field(default=Decision(NO_MASK, 0.0), init=False)
    late: dict[str, Vote] = field(default_factory=dict, init=False)

    @property
    def heard(self) -> EntityVotes:
        """The votes without those of indicators that could not judge."""
        given = {n: None if v and v.abstains else v for n, v in self.votes.items()}
        return EntityVotes(given, self.direct, self.words, self.presence)

    def add(self, name: str, vote: Vote | None) -> None:
        """A vote after the decision: one for a mask always counts."""
        if vote is None or vote.abstains or vote.decision == NO_MASK:
            return
        decision = strictest([self.decision.decision, vote.decision])
        risk = max(self.decision.risk, vote.probability)
        self.decision = self.decision._replace(decision=decision, risk=risk)
        self.late[name] = vote

    @property
    def masked(self) -> bool:
        return self.decision.decision != NO_MASK

    def flags(self) -> dict[str, bool]:
        """Whether each indicator asks for a mask."""
        given = {
            n: v is not None and not v.abstains and v.decision != NO_MASK
            for n, v in self.votes.items()
        }
        return {**given, **dict.fromkeys(self.late, True)}

    def reasons(self, decided: Decision) -> str:
        """Why, in plain words; those who could not judge say why as well."""
        early = [v.reason for v in self.votes.values() if v is not None]
        late = [v.reason for v in self.late.values()]
        return "; ".join(filter(None, [*early, decided.reason, *late]))

    def evidence(self) -> dict[str, list[str]]:
        """What the audit alone may show."""
        every = {**self.votes, **self.late}
        return {n: list(v.details) for n, v in every.items() if v and v.details}


def make_cases(
    context: SpanContext,
    cast: Mapping[str, Votes],
    probs: numpy.ndarray | None,
    classify: Callable[[list[float]], Vote],
) -> list[Case]:
    """The entities of a document, in order of appearance."""
    count = _word_counts(context)
    lower = context.doc.to_array(LOWER).tolist()
    small = context.doc.to_array(IS_LOWER).tolist()
    occurring = Counter(zip(lower, small))
    rows = [] if probs is None else probs.tolist()
    out = []
    for mentions in entities_of(context):
        given = {n: join([votes[i] for i in mentions]) for n, votes in cast.items()}
        words = sum(count[i] for i in mentions)
        if _POINTING & {context.spans[i].label for i in mentions}:
            words = 1
        elif words == len(mentions):
            # Its other occurrences go with it, whatever they mean there; a name takes
            # no word in lower case along.
            places = [context.spans[i].start for i in mentions]
            spelt = {(lower[i], kind) for i in places for kind in (0, small[i])}
            words = max(1, 1 + sum(occurring[word] for word in spelt) - words)
        direct = 0.0
        if probs is not None:
            columns = zip(*(rows[i] for i in mentions))
            mean = [sum(column) / len(mentions) for column in columns]
            direct = round(mean[COLUMN[DIRECT]], 3)
            given = {CLASSIFIER: classify(mean), **given}
        out.append(Case(mentions, given, direct, words))
    _even_out(context, out)
    if probs is not None and not _tells_of_somebody(context.doc.lang_, lower):
        # That not all of its entities are no direct identifiers. A short text may lack
        # the name.
        nobody = math.prod(1.0 - case.direct for case in out)
        presence = 1.0 - nobody * len(lower) / (len(lower) + _SHORT)
        for case in out:
            case.presence = presence
    return out


def _even_out(context: SpanContext, cases: Sequence[Case]) -> None:
    """Give all times of a series the votes in its middle: what opens line after line in a
    chat or a log is masked everywhere or nowhere, and stays in order."""
    text, spans = text_of(context.doc), context.spans
    series: list[Case] = []
    for case in cases:
        if spans[case.mentions[0]].id == "TIME":
            starts = (context.doc[spans[i].start].idx for i in case.mentions)
            if all(_opens_line(text, i) for i in starts):
                series.append(case)
    for name in series[0].votes if len(series) >= _SERIES else ():
        if cast := [v for case in series if (v := case.votes[name]) and not v.abstains]:
            middle = sorted(cast, key=lambda v: v.probability)[len(cast) // 2]
            for case in series:
                case.votes = {**case.votes, name: middle}


def _opens_line(text: str, at: int) -> bool:
    # As far as an indent may reach: a long text may be one line.
    return not text[max(0, at - _INDENT) : at].rpartition("\n")[2].strip(" \t[(<")


def _tells_of_somebody(lang: str, words: Sequence[int]) -> bool:
    """Whether a text, given the hashes of its words in lower case, speaks of somebody
    without a name; so may all texts of a language whose words for that are not known."""
    told = told_words(lang)
    return not told or not _hashes(told).isdisjoint(words)


@cache
def _hashes(words: frozenset[str]) -> frozenset[int]:
    return frozenset(map(get_string_id, words))


def classifier_vote(mean: Sequence[float], threshold: float) -> Vote:
    """The vote of the component's own model, by its mean over all mentions."""
    # The last digits depend on what else was in the batch.
    risk = round(1.0 - mean[COLUMN[NO_MASK]], 3)
    decision = NO_MASK
    if risk >= threshold:
        decision = DIRECT if mean[COLUMN[DIRECT]] >= mean[COLUMN[QUASI]] else QUASI
    reason = f"{_KINDS[decision]} identifier of the person by type and context"
    limit = f"(risk {risk:.2f}; masked from {threshold:g})"
    return Vote(decision, risk, f"{reason} {limit}")


def join(votes: Sequence[Vote | None]) -> Vote | None:
    """One vote for all mentions of an entity: the strictest decision, with the highest
    probability and its reason."""
    if len(cast := [vote for vote in votes if vote is not None]) < 2:
        return cast[0] if cast else None
    given = [vote for vote in cast if not vote.abstains] or cast[:1]
    top = max(given, key=lambda vote: vote.probability)
    decision = strictest(vote.decision for vote in given)
    details = tuple(dict.fromkeys(d for vote in cast for d in vote.details))
    return top._replace(decision=NO_MASK if top.abstains else decision, details=details)


def _word_counts(context) -> list[int]:
    """Words of each span without punctuation and the language's function words."""
    stop, punct, space = context.doc.to_array([IS_STOP, IS_PUNCT, IS_SPACE]).T
    total = [0, *numpy.cumsum((stop | punct | space) == 0).tolist()]
    # What has nothing else consists of its function words.
    return [total[c.end] - total[c.start] or c.end - c.start for c in context.spans]
