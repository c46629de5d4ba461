"""Sequences of tags that spell spans, by trying them all."""

from itertools import pairwise, product

from spacy_deid.models.crf import CRF

N_TAGS = 5  # one label


def valid(path):
    """Whether tags spell spans, by reading them one after the other."""
    inside = None
    for tag in path:
        label, role = divmod(tag - 1, 4) if tag else (None, "O")
        if inside is None:
            if role in (1, 2):
                return False
            inside = label if role == 0 else None
        elif label != inside or role not in (1, 2):
            return False
        elif role == 2:
            inside = None
    return inside is None


def all_paths(n, n_tags=N_TAGS):
    return [path for path in product(range(n_tags), repeat=n) if valid(path)]


def score(path, rows, chain):
    total = chain.first[path[0]] + chain.last[path[-1]]
    total += sum(rows[t][tag] for t, tag in enumerate(path))
    return total + sum(chain.between[i, j] for i, j in pairwise(path))


def random_crf(rng, n_tags=N_TAGS, scale=1.0):
    node = CRF(n_tags).initialize()
    shape = {"transitions": (n_tags, n_tags), "first": n_tags, "last": n_tags}
    for name, size in shape.items():
        node.set_param(name, (rng.normal(size=size) * scale).astype("f"))
    return node
