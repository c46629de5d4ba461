"""Identifiers as people say them, in words, letter by letter and piece by piece."""
