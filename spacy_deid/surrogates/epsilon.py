"""How much a replacement strategy tells about what it replaced.

The measure is that of local differential privacy (Adelani et al. 2020, section 3): two
texts differ in one token, and ε bounds how much more likely one of them is to give the
output seen. What `doc._.deid_epsilon` says, and what not:

- It is the ε of one token. Neighbouring texts differ in one token, so it is also that
  of a document in which each token is replaced independently.
- The formula holds for a policy that does not look at the token. A strategy that gives
  all mentions of an entity one surrogate shows which mentions belong together, and the
  lemma does not cover it: its ε is infinite.
- p, the probability that a sensitive token is replaced at all, can't exceed the
  detector's recall. Without a measured recall (`recall = null`) ε speaks only of what
  was found: read it as "given that nothing was missed".
- A placeholder that no ordinary token equals has ε = 0 if p = 1. If p < 1 a missed
  token stands in the output in its own person, no replacement looks like it, and ε is
  infinite.
- The maximum is over the values that the policy may give. A missed value that it never
  gives stands out, whatever ε says.
- That no surrogate equals an original of its document (privacy rule 3) takes the
  originals out of the draw; ε is that of the policy before, and `collision_delta` bounds
  the δ this costs.

Losses add up (sequential composition): if all n values of a document may be about one
person, the document costs that person n times ε. Documents about different persons do
not add up (parallel composition): a corpus with one document a person costs each of
them no more than the costliest document, and one about a single person the sum of all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable


def replacement_epsilon(least: float, p: float = 1.0) -> float:
    """ε of replacing with probability p by a policy blind to the token replaced.

    max over t of ln((1 - p + p·π(t)) / (p·π(t))), which the rarest t attains
    (Adelani et al. 2020, equation 2).

    least (float): Smallest π(t) over the tokens that the text may hold, 0 if there is
        a token that the policy never gives.
    p (float): Probability that a sensitive token is replaced.
    RETURNS (float): ε, `math.inf` if there is no bound.
    RAISES (ValueError): If an argument is no probability.
    """
    for value in (least, p):
        if not 0.0 <= value <= 1.0:
            raise ValueError(f"{value} is not a probability")
    if p == 1.0:
        return 0.0
    if p == 0.0 or least == 0.0:
        return math.inf
    return math.log((1.0 - p + p * least) / (p * least))


def capped(p: float, recall: float | None) -> float:
    """The probability of replacement that is in fact reached."""
    return p if recall is None else min(p, recall)


def share_of_found(p: float, recall: float | None) -> float:
    """How much of what detectors find is replaced so that p of all is, if that can be."""
    return min(1.0, p / recall) if recall else p


def document_epsilon(epsilon: float, values: int) -> float:
    """ε of a document in which several values are replaced independently (sequential
    composition: the losses add up)."""
    if not epsilon >= 0.0 or values < 0:
        raise ValueError("an epsilon and a number of values can't be negative")
    return epsilon * values if values else 0.0


def corpus_epsilon(documents: Iterable[float], one_person: bool = False) -> float:
    """ε of a corpus, for a person who is in it."""
    return (sum if one_person else max)([0.0, *documents])


def collision_delta(largest: float, values: int, epsilon: float) -> float:
    """δ of never drawing an original of the same document.

    Each of n values is drawn without at most n originals, so that the output differs
    from that of the policy with a probability of at most τ = n²·max π(t). If the policy
    is (ε, 0) private, whatever stays within τ of it is (ε, (1 + e^ε)·τ) private."""
    tau = min(1.0, values * values * largest)
    if tau == 0.0:
        return 0.0
    if epsilon > 700.0:
        return 1.0
    return min(1.0, (1.0 + math.exp(epsilon)) * tau)


class Budget:
    """What a corpus costs in all, document by document."""

    def __init__(self) -> None:
        self.epsilon = 0.0
        self.largest = 0.0
        self.total = 0.0
        self.documents = 0

    def add(self, epsilon: float | None, values: int) -> None:
        """Count a document."""
        one = math.inf if epsilon is None else float(epsilon)
        document = document_epsilon(one, values)
        self.documents += 1
        self.epsilon = max(self.epsilon, one)
        self.largest = corpus_epsilon((self.largest, document))
        self.total = corpus_epsilon((self.total, document), one_person=True)

    def lines(self) -> list[str]:
        """The sum in words."""
        if not self.documents:
            return []
        if math.isinf(self.epsilon):
            return [
                "Epsilon: infinite. Differential privacy bounds nothing here: some "
                "replacement shows which mentions belong together, or hangs on the "
                "original; the text protects by what was found and replaced"
            ]
        return [
            f"Epsilon: at most {self.epsilon:.4g} a value, {self.largest:.4g} a "
            f"document, {self.total:.4g} if all documents are about one person. "
            + _in_words(self.epsilon)
        ]


def _in_words(epsilon: float) -> str:
    """What ε a value means: the bound on the ratio of two likelihoods is e^ε."""
    if epsilon == 0.0:
        return (
            "The output tells nothing of a value that was found but that it was there"
        )
    if epsilon > 20.0:
        return "So large a bound promises nothing of use"
    return (
        "Whoever sees the output may find one original of a value at most "
        f"{math.exp(epsilon):,.2f} times as likely as another by it"
    )


def json_value(epsilon: float | None) -> float | None:
    """ε as JSON can write it: `null` stands for "no guarantee"."""
    return None if epsilon is None or math.isinf(epsilon) else epsilon
