#!/bin/sh
# Reads secrets from files, if they are given so, and becomes the service.
set -eu
for name in SPACY_DEID_KEY SPACY_DEID_TOKEN; do
    eval "file=\${${name}_FILE:-}"
    if [ -n "$file" ]; then
        export "$name=$(cat "$file")"
    fi
done
exec python -m spacy deid serve --host 0.0.0.0 --port 8000 "$@"
