"""The seed lists, as data; see README.md."""
