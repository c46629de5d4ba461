"""The pipeline as a service over HTTP: needs the extra `serve`."""
