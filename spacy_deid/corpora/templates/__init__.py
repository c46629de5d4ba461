"""Grammars (`*.txt`) of the synthetic corpus, one folder a language, and `names.txt`,
names that Faker lacks; see `spacy_deid.corpora.synthetic`."""
