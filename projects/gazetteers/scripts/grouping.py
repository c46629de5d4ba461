"""Groups of the words of a lexicon by their vectors: K-means, weighted by frequency, makes the fine
groups, others by half of the columns, and of the centres the coarse ones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.decomposition import PCA
from spacy.strings import hash_string

from spacy_deid.data import ROOT
from spacy_deid.gazetteers.lexicon import KEY_BITS, load_lexicon

# Fine groups; those by a part of the vector each; coarse groups; columns of a vector.
FINE, PARTLY, COARSE, WIDTH = 1024, (512, 256, 256, 128, 64, 64), 96, 64


def key_of(word: str) -> int:
    return hash_string(word) >> (64 - KEY_BITS)


def in_lexicon(lang: str, counts: Mapping[str, float]) -> dict[str, float]:
    """The words that the lexicon of a language has."""
    keys = set(load_lexicon(lang).keys.tolist())
    return {word: n for word, n in counts.items() if key_of(word) in keys}


def narrowed(vectors: numpy.ndarray, sure: numpy.ndarray) -> numpy.ndarray:
    """Vectors of unit length and `WIDTH` columns, by what the `sure` ones differ in most."""
    small = PCA(WIDTH, random_state=0).fit(vectors[sure]).transform(vectors)
    return small / (numpy.linalg.norm(small, axis=1, keepdims=True) + 1e-9)


def write_groups(
    lang: str,
    words: Sequence[str],
    counted: Mapping[str, float],
    vectors: numpy.ndarray,
) -> None:
    """Add the groups of words to the lexicon of a language; other words have none."""
    zipf = numpy.array([math.log10(counted[w] + 1e-9) + 9 for w in words])
    weights = numpy.clip(zipf, 0.5, None) ** 1.5

    def grouped(rows: numpy.ndarray, n: int) -> KMeans:
        means = KMeans(n, n_init=1, max_iter=50, random_state=0, init="random")
        return means.fit(rows, sample_weight=weights)

    fine = grouped(vectors, FINE)
    columns = [fine.labels_]
    for seed, n in enumerate(PARTLY):
        half = numpy.random.default_rng(seed).choice(WIDTH, WIDTH // 2, replace=False)
        columns.append(grouped(vectors[:, half], n).labels_)
    coarse = AgglomerativeClustering(COARSE).fit_predict(fine.cluster_centers_)
    rows = numpy.stack([*columns, coarse[fine.labels_]], axis=1) + 1
    of = dict(zip(map(key_of, words), rows.tolist()))
    path = ROOT / "lang" / lang / "lexicon.npz"
    with numpy.load(path) as arrays:
        kept = {name: arrays[name] for name in ("keys", "classes")}
    none = [0] * rows.shape[1]
    groups = [of.get(key, none) for key in kept["keys"].tolist()]
    numpy.savez_compressed(path, **kept, groups=numpy.array(groups, "uint16"))
    print(f"{len(words)} of {len(groups)} words, {path.stat().st_size} bytes")
