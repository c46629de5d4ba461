"""Hides torch from the programs that tests start: see `start_without_torch`. The
metadata beside it do the same for the entry points of spacy-transformers, which spaCy
would load and which need torch."""

raise ImportError("torch is hidden, as if only the core were installed")
