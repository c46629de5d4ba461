"""`spacy deid gazetteer sparql`: terms from Wikidata, or another Wikibase, by SPARQL."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from ._errors import INTERRUPTED, CliError, clean_errors, say
from ._gazetteer_options import (
    AliasesOption,
    CountriesOption,
    DropNamesOption,
    ExcludeOption,
    LanguagesOption,
    MinCountOption,
    PropertiesOption,
    check_output,
    read_options,
    write_output,
)

ENDPOINT = "https://query.wikidata.org/sparql"
USER_AGENT_ENV = "SPACY_DEID_USER_AGENT"


def sparql_cli(
    output_name: str = typer.Argument(
        ..., metavar="OUTPUT", help="File of terms to write (.jsonl)"
    ),
    endpoint: str = typer.Option(
        ENDPOINT, "--endpoint", metavar="URL", help="Address of the SPARQL endpoint"
    ),
    user_agent: str | None = typer.Option(
        None,
        "--user-agent",
        metavar="TEXT",
        envvar=USER_AGENT_ENV,
        help="Who asks, with an e-mail address or a web page; the service insists on it",
    ),
    languages: LanguagesOption = "en",
    properties: PropertiesOption = None,
    exclude: ExcludeOption = "",
    aliases: AliasesOption = True,
    min_count: MinCountOption = 1,
    drop_names: DropNamesOption = None,
    countries: CountriesOption = True,
    cache: str | None = typer.Option(
        None,
        "--cache",
        metavar="DIR",
        help="Folder of finished answers (default: beside OUTPUT, ending in .cache)",
    ),
    timeout: float = typer.Option(
        65.0,
        "--timeout",
        min=0.001,
        metavar="S",
        help="Seconds a query may take until it is split",
    ),
    delay: float = typer.Option(
        0.5, "--delay", min=0, metavar="S", help="Seconds between two queries"
    ),
    max_tries: int = typer.Option(
        8, "--max-tries", min=1, help="How often a query is tried"
    ),
    max_wait: float = typer.Option(
        900,
        "--max-wait",
        min=0,
        metavar="S",
        help="End if the service asks for a longer pause than this",
    ),
) -> None:
    """Write the terms that people bear on Wikidata, with how many people do.

    One query at a time, with pauses when the service asks for them. All of Wikidata
    takes hours; interrupted or failed, the same command asks only for what is missing.
    Delete the cache to ask for newer data.
    """
    run_sparql(
        output_name,
        endpoint,
        user_agent,
        (languages, properties, exclude, aliases, min_count, drop_names, countries),
        cache,
        {
            "timeout": timeout,
            "delay": delay,
            "max_tries": max_tries,
            "max_wait": max_wait,
        },
    )


@clean_errors
def run_sparql(
    output_name: str,
    endpoint: str,
    user_agent: str | None,
    term_options: tuple,
    cache_name: str | None,
    limits: dict[str, Any],
) -> int:
    """Run the command.

    output_name (str): File of terms.
    endpoint (str): Address of the endpoint.
    user_agent (Optional[str]): Who asks.
    term_options (tuple): Arguments of `read_options`.
    cache_name (Optional[str]): Folder of finished answers.
    limits (dict[str, Any]): Arguments of `fetch_values`.
    RETURNS (int): Exit status.
    """
    from ..gazetteers.wikidata.sparql import SparqlError, fetch_values
    from ..gazetteers.wikidata.sparql_client import check_user_agent, names_contact
    from ..gazetteers.wikidata.values import Origin

    try:
        user_agent = check_user_agent(user_agent)
    except ValueError as error:
        raise CliError(
            f"{error}. Set it with --user-agent or {USER_AGENT_ENV}"
        ) from error
    if not names_contact(user_agent):
        say("The User-Agent has no address: the service may refuse it or block you")
    path = check_output(output_name)
    cache = Path(cache_name) if cache_name else path.with_suffix(".cache")
    if cache.exists() and not cache.is_dir():
        raise CliError(f"--cache {cache}: is not a folder")
    options = read_options(*term_options)
    origin = Origin("sparql", endpoint)
    try:
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
            **limits,
        )
    except ValueError as error:
        raise CliError(str(error)) from error
    try:
        write_output(options, values, path, origin)
    except SparqlError as error:
        raise CliError(str(error)) from error
    except KeyboardInterrupt:
        say("Interrupted; run the same command to go on")
        return INTERRUPTED
    return 0
