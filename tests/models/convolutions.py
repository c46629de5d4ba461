"""Small convolutions over texts, for tests of what reads them."""

import numpy
import spacy

NLP = spacy.blank("en")
CONVOLUTION = """
[model]
@architectures = "spacy_deid.TokenTagger.v1"
nO = 3
[model.tok2vec]
@architectures = "spacy.Tok2Vec.v2"
[model.tok2vec.embed]
@architectures = "spacy.MultiHashEmbed.v2"
width = 8
attrs = ["NORM", "SHAPE"]
rows = [50, 50]
include_static_vectors = false
[model.tok2vec.encode]
@architectures = "spacy.MaxoutWindowEncoder.v2"
width = 8
depth = 2
window_size = 2
maxout_pieces = 2
"""


def make(config):
    loaded = spacy.util.load_config_from_str(config)
    model = spacy.registry.resolve(loaded)["model"]
    model.initialize(X=[NLP("a few words to begin with")])
    # The output layer begins with zeros.
    output = model.get_ref("output_layer")
    rng = numpy.random.default_rng(0)
    output.set_param("W", rng.normal(size=output.get_param("W").shape).astype("f"))
    return model
