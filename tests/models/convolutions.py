"""Small convolutions over texts, for tests of what reads them."""

from pathlib import Path

import numpy
import spacy

NLP = spacy.blank("en")
CONVOLUTION = Path(__file__).with_suffix(".cfg").read_text("utf8")


def make(config):
    model = spacy.registry.resolve(spacy.util.load_config_from_str(config))["model"]
    model.initialize(X=[NLP("a few words to begin with")])
    # The output layer begins with zeros.
    output = model.get_ref("output_layer")
    rng = numpy.random.default_rng(0)
    output.set_param("W", rng.normal(size=output.get_param("W").shape).astype("f"))
    return model
