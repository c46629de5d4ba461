-- What is found in a dump, and how far it has been read. Written for this project. MIT.
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS state (pass INTEGER PRIMARY KEY, state TEXT);
CREATE TABLE IF NOT EXISTS items (
    property INTEGER, id INTEGER, n INTEGER, PRIMARY KEY (property, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS literals (
    property INTEGER, language TEXT, text TEXT, n INTEGER,
    PRIMARY KEY (property, language, text)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS countries (id INTEGER PRIMARY KEY, demonyms TEXT);
CREATE TABLE IF NOT EXISTS labels (id INTEGER PRIMARY KEY, labels TEXT);
