"""A small pipeline that has learnt strings which nobody has, to see where they go."""

import spacy
from spacy.tokens import Span
from spacy.training import Example
from thinc.api import Config

from spacy_deid.pii_ner import DEFAULT_MODEL

from .annotated import places

TINY = Config().from_str(DEFAULT_MODEL)["model"]
TINY["tok2vec"].update(width=32, depth=1, embed_size=200)
# Names and numbers that nobody has.
CANARIES = ["Zyxquorth", "Vlimbarough", "Øyvindhåkr", "QX77431ZZ", "59013374426"]
TEXT = "Mr {} of {} and Ms {} have the numbers {} and {}.".format(*CANARIES)


def planted(nlp):
    """A training document with all canaries."""
    doc = nlp.make_doc(TEXT)
    rows = places(doc, *zip(CANARIES, ["PERSON", "LOC", "PERSON", "CODE", "CODE"]))
    doc.spans["pii"] = [Span(doc, *row) for row in rows]
    doc.spans["mask"] = [Span(doc, *row[:2], "DIRECT") for row in rows]
    return doc


def train(folder, **config):
    """Save a pipeline that was trained on them, and used."""
    spacy.util.fix_random_seed(0)
    nlp = spacy.blank("en")
    nlp.add_pipe("pii_gazetteer")
    nlp.add_pipe("pii_ner", config={"model": TINY})
    nlp.add_pipe("risk_scorer")
    nlp.add_pipe("pseudonymizer", config=config)
    examples = [Example(nlp.make_doc(TEXT), planted(nlp))] * 4
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(10):
        nlp.update(examples, sgd=optimizer, annotates=["pii_ner"])
    nlp(TEXT)
    nlp.to_disk(folder)
    return folder
