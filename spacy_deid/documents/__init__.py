"""Documents of other programs: read as one text, and written again as they were."""
