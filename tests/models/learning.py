"""Small pipelines that learn a few documents by heart, and travel."""

import pickle

import spacy
from spacy.tokens import Doc, Span
from spacy.training import Example

PEOPLE = ("Robert Murray", "Ann Lee", "Delphine Vasseur", "Bartosz Nowak", "Tilda Osei")
TOWNS = ("Leeds", "Bristol", "Norwich", "Cardiff")
TOK2VEC = {
    "@architectures": "spacy.HashEmbedCNN.v2", "pretrained_vectors": None, "width": 24,
    "depth": 1, "embed_size": 200, "window_size": 1, "maxout_pieces": 2,
    "subword_features": True,
}  # fmt: skip


def named(name, /, **settings):
    return {"@architectures": f"spacy_deid.{name}.v1", **settings}


def make_doc(nlp, words, **groups):
    """A document of words with groups of (start, end, label)."""
    doc = Doc(nlp.vocab, words=words.split())
    for key, rows in groups.items():
        doc.spans[key] = [Span(doc, s, e, label=label) for s, e, label in rows]
    return doc


def gold_examples(nlp, rows):
    docs = [make_doc(nlp, words, pii=spans) for words, spans in rows]
    return [Example(nlp.make_doc(doc.text), doc) for doc in docs]


def judged(nlp, words, rows, gold=True):
    """A document with spans (start, end, type, decision); the decisions are gold."""
    groups = {"pii": [row[:3] for row in rows]}
    if gold:
        groups["mask"] = [(s, e, decision) for s, e, _, decision in rows]
    return make_doc(nlp, words, **groups)


def add_ruler(nlp, key, terms):
    """A component that puts the terms of each label into a group of this name."""
    ruler = nlp.add_pipe("span_ruler", name=key, config={"spans_key": key})
    pairs = [(label, term) for label, some in terms.items() for term in some]
    ruler.add_patterns([{"label": label, "pattern": term} for label, term in pairs])


def overfit(nlp, examples, steps=60, learn_rate=0.01, drop=0.0):
    """Losses of the last component."""
    spacy.util.fix_random_seed(0)
    optimizer = nlp.initialize(lambda: examples)
    optimizer.learn_rate = learn_rate
    return [
        nlp.update(examples, sgd=optimizer, losses={}, drop=drop)[nlp.pipe_names[-1]]
        for _ in range(steps)
    ]


def copies(nlp, folder):
    """What comes back from a folder, bytes and a pickle."""
    nlp.to_disk(folder)
    read = spacy.blank(nlp.lang).from_config(nlp.config).from_bytes(nlp.to_bytes())
    return [spacy.load(folder), read, pickle.loads(pickle.dumps(nlp))]
