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
- That no surrogate equals an original of its document (privacy rule 3) takes the
  originals out of the draw. This costs a δ of at most the largest probability in the
  policy; ε is that of the policy before.
"""

from __future__ import annotations

import math


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
    """The probability of replacement that is in fact reached.

    p (float): What the strategy aims at.
    recall (Optional[float]): The detector's measured recall; None if not measured.
    RETURNS (float): p, or the recall if that is less.
    """
    return p if recall is None else min(p, recall)


def json_value(epsilon: float | None) -> float | None:
    """ε as JSON can write it: `null` stands for "no guarantee".

    epsilon (Optional[float]): `doc._.deid_epsilon`.
    RETURNS (Optional[float]): None if it is infinite or there is none.
    """
    return None if epsilon is None or math.isinf(epsilon) else epsilon
