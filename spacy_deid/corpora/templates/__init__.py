"""Grammars (`*.txt`) of the synthetic corpus, see `spacy_deid.corpora.synthetic`."""
