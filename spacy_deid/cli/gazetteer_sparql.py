"""`spacy deid gazetteer sparql`: terms from Wikidata, or another Wikibase, by SPARQL."""

from __future__ import annotations

import os
from pathlib import Path

from ..gazetteers.wikidata.sparql import SparqlError, fetch_values
from ..gazetteers.wikidata.sparql_client import check_user_agent, names_contact
from ..gazetteers.wikidata.values import Origin
from ._errors import INTERRUPTED, CliError, say, shown
from ._gazetteer_options import (
    read_options,
)
from ._options import command

ENDPOINT = "https://query.wikidata.org/sparql"
USER_AGENT_ENV = "SPACY_DEID_USER_AGENT"


@command
def sparql_cli(
    output: Path,
    endpoint: str = ENDPOINT,
    user_agent: str | None = None,
    languages: str = "en",
    properties: str | None = None,
    exclude: str = "",
    aliases: bool = True,
    min_count: int = 1,
    drop_names: str | None = None,
    countries: bool = True,
    cache: Path | None = None,
    timeout: float = 65.0,
    delay: float = 0.5,
    max_tries: int = 8,
    max_wait: float = 900,
) -> int:
    """Write the terms that people bear on Wikidata, with how many people do.

    One query at a time, with pauses when the service asks for them. All of Wikidata
    takes hours; interrupted or failed, the same command asks only for what is missing.
    Delete the cache to ask for newer data.
    """
    try:
        user_agent = check_user_agent(user_agent or os.environ.get(USER_AGENT_ENV))
    except ValueError as error:
        hint = f"Set it with --user-agent or {USER_AGENT_ENV}"
        raise CliError(f"{error}. {hint}") from error
    if not names_contact(user_agent):
        say("The User-Agent has no address: the service may refuse it or block you")
    cache = cache or output.with_suffix(".cache")
    if cache.exists() and not cache.is_dir():
        raise CliError(f"--cache {cache}: is not a folder")
    terms = (languages, properties, exclude, aliases, min_count, drop_names, countries)
    options = read_options(output, *terms)
    origin = Origin("sparql", endpoint)
    try:
        with shown(SparqlError, ValueError):
            values = fetch_values(
                endpoint,
                options.properties,
                options.languages,
                user_agent=user_agent,
                cache=cache,
                aliases=options.aliases,
                countries=options.countries,
                min_count=options.min_count,
                progress=True,
                origin=origin,
                timeout=timeout,
                delay=delay,
                max_tries=max_tries,
                max_wait=max_wait,
            )
        with shown(SparqlError):
            options.write(values, origin)
    except KeyboardInterrupt:
        say("Interrupted; run the same command to go on")
        return INTERRUPTED
    return 0
