"""Group the words of a lexicon by their vectors: `python projects/gazetteers/scripts/group_vectors.py ru VECTORS.tar`.

Not needed to use the package. VECTORS.tar are vectors of the package navec; the package natasha
(both MIT, of the package index) has some of Russian news in its folder `data/emb`. Needs both, scikit-learn and
wordfreq. Adds `groups` to `spacy_deid/data/lang/LANG/lexicon.npz`, as `group_words.py` does by an encoder.
"""

from __future__ import annotations

import sys

import numpy
import wordfreq
from grouping import in_lexicon, narrowed, write_groups
from navec import Navec


def main(lang: str, path: str) -> None:
    navec = Navec.load(path)
    counted = in_lexicon(lang, wordfreq.get_frequency_dict(lang, "large"))
    words = sorted(word for word in counted if word in navec)
    found = numpy.stack([navec[word] for word in words])
    found /= numpy.linalg.norm(found, axis=1, keepdims=True) + 1e-9
    often = numpy.array([counted[word] > 1e-7 for word in words])
    write_groups(lang, words, counted, narrowed(found - found[often].mean(0), often))


if __name__ == "__main__":
    main(*sys.argv[1:])
