"""Records of several fields: joined to one document, checked, and taken apart again."""
