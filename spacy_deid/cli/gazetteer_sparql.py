"""`spacy deid gazetteer sparql`: terms from Wikidata, or another Wikibase, by SPARQL."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path

from ..gazetteers.wikidata.sparql import SparqlError, fetch_values
from ..gazetteers.wikidata.sparql_client import check_user_agent, names_contact
from ..gazetteers.wikidata.values import Origin
from ._errors import INTERRUPTED, CliError, say, shown
from ._gazetteer_options import TermOptions
from ._options import command

ENDPOINT = "https://query.wikidata.org/sparql"
USER_AGENT_ENV = "SPACY_DEID_USER_AGENT"


@dataclass(frozen=True)
class Limits:
    """Of the service; see `fetch_values`."""

    timeout: float = 65.0
    delay: float = 0.5
    max_tries: int = 8
    max_wait: float = 900


@command
def sparql_cli(
    output: Path,
    options: TermOptions,
    limits: Limits,
    endpoint: str = ENDPOINT,
    user_agent: str | None = None,
    cache: Path | None = None,
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
    terms = options.check(output)
    origin = Origin("sparql", endpoint)
    try:
        with shown(SparqlError, ValueError):
            values = fetch_values(
                endpoint,
                terms.properties,
                terms.languages,
                user_agent=user_agent,
                cache=cache,
                aliases=terms.aliases,
                countries=terms.countries,
                min_count=terms.min_count,
                progress=True,
                origin=origin,
                **asdict(limits),
            )
        with shown(SparqlError):
            terms.write(values, origin)
    except KeyboardInterrupt:
        say("Interrupted; run the same command to go on")
        return INTERRUPTED
    return 0
