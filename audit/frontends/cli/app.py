"""The commands and their help."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cyclopts import App

from audit import __version__ as VERSION
from audit.frontends.cli.invocation import PROGRAM, split

if TYPE_CHECKING:
    from cyclopts.help import HelpEntry, HelpPanel
    from rich.console import Console, ConsoleOptions

_HELP = """Audit a differential privacy claim by running the mechanism.

The answer is a violation, with the smallest counterexample and a lower bound on ε; or "not \
refuted", with what was tested and at which power; or "inconclusive". It is never "private".
"""

_EPILOGUE = """Examples:
  audit list
  audit noisy-average
  audit python release.py:noisy_sum --epsilon 1 --domain float:0:1
  audit command --epsilon 0.5 --data ages.csv -- ./program {data}
  audit samples D.txt D1.txt --epsilon 0.5 --bins 5

--help-all, with any command, shows every flag; --debug the traceback of an error.
Exit codes: 0 not refuted, 1 violation, 2 bad input or usage, 3 inconclusive, 130 interrupted."""


_TEMPLATE = "http://127.0.0.1:8000/count?of={data}&seed={seed}"
_QUERY = "SELECT count(*) + ln(random()) - ln(random()) FROM data"


@dataclass(frozen=True, slots=True)
class Known:
    """Help of a command that is known without loading it.

    Attributes:
        function: MODULE:FUNCTION of this folder that carries it out.
        help: what it does.
        usage: what follows its name.
        examples: command lines worth trying.
        arrives: what the mechanism gets, and what it may give back.
    """

    function: str
    help: str
    usage: str
    examples: tuple[str, ...]
    arrives: tuple[str, ...] = ()


COMMANDS: dict[str, Known] = {
    "list": Known(
        "listing:list_mechanisms",
        "Mechanisms in the catalogue: claim, relation, truth where known.",
        "[WORD ...] [FLAGS]",
        ("audit list", "audit list laplace", "audit list --group Right --format json"),
    ),
    "MECHANISM": Known(
        "listing:mechanism",
        "Audit one of the catalogue; its parameters are flags, see audit MECHANISM --help.",
        "[FLAGS]",
        ("audit noisy-average", "audit laplace --epsilon 0.5 --report reports"),
    ),
    "python": Known(
        "black_boxes:python",
        "Audit your function: f(data), f(data, rng), f(data, rng, size) or f(data, size).",
        "FILE.py:FUNCTION [FLAGS]",
        (
            "audit python release.py:noisy_sum --epsilon 1 --domain float:0:1",
            "audit python package.module:function --rho 0.5 --data ages.csv --column age",
            "audit python release.py:noisy_sum --epsilon 1 --data '[1, 2]' --neighbor '[1]'",
        ),
        (
            "data    numbers as numpy.ndarray; text, mixed values as list; a table as",
            "        pandas.DataFrame, with --records dict as list of dicts",
            "rng     a numpy.random.Generator; without it numpy.random and random serve",
            "size    how many outputs to return; its name may be num_samples",
            "output  number, bool, str, bytes, Enum, None, list, tuple, dict, set, array,",
            "        Series or DataFrame; a coroutine is awaited, a generator listed",
        ),
    ),
    "command": Known(
        "black_boxes:command",
        "Audit a program; {data} {output} {epsilon} {size} {seed} are filled in. With --serve, "
        "one that keeps running.",
        "[FLAGS] -- PROGRAM ARG...",
        (
            "audit command --epsilon 0.5 --data ages.txt -- ./program -i {data} -t {size}",
            "audit command --epsilon 1 --domain int:0:9 -- python3 release.py {data} {seed}",
            "audit command --epsilon 1 --domain int:0:9 -- sh -c './reads_stdin < {data}'",
            "audit command --serve --epsilon 1 --domain int:0:100 -- ./server {epsilon}",
        ),
        (
            "{data}  a file with one record a line, rows with commas, a table as CSV with",
            "        a header; with --records json one JSON value a line",
            "output  what is written to {output}, else printed; a line for each of {size}",
            "--serve is for a program that answers many times. It is started once for each",
            "fresh instance, and reads lines such as",
            '        {"data": [1, 0, 1], "size": 1, "seed": 1867825}',
            "each of which it answers with one line, flushed: a JSON list of the outputs",
            '        [2.57]    or    {"error": "no such column"}',
            "If the same data, size and seed give the same outputs, both datasets use",
            "common random numbers, and fewer runs suffice. An answer that is late, too",
            "long or no such list, an error, an exit code and a signal are outputs. A",
            "program that ended is missing for the rest of its instance. It ends when its",
            "input ends.",
        ),
    ),
    "sql": Known(
        "black_boxes:sql",
        "Audit a query in DuckDB or PostgreSQL; the dataset is the table data.",
        "QUERY [FLAGS]",
        (
            f"audit sql --epsilon 1 --domain int:0:9 '{_QUERY}'",
            f"audit sql --database more.duckdb --epsilon 1 --data visits.csv '{_QUERY}'",
        ),
    ),
    "http": Known(
        "black_boxes:http",
        "Audit a web service, by POST or GET.",
        "URL [FLAGS]",
        (
            "audit http http://127.0.0.1:8000/count --epsilon 1 --domain int:0:100",
            "audit http https://example.org/f --epsilon 1 --data a.csv --bearer-env TOKEN",
            f"audit http --url-template '{_TEMPLATE}' --epsilon 1 --data '[1, 2]'",
        ),
        (
            'POST    {"data": [1, 0, 1], "size": 1, "seed": 1867825}, a table as objects',
            'answer  a JSON list of as many outputs, [2.57], or {"error": "no such column"}',
            "GET     with --url-template; the body is the output, a JSON value or text",
            "If the same data and seed give the same outputs, both datasets use common",
            "random numbers, and fewer requests suffice. Requests are assumed to be",
            "independent. Outputs are also: a status other than 2xx with its body's type",
            "(a redirect is not followed), a connection that closes, an answer too late,",
            "too large or no such list. 429 and 503 are none: the request is repeated",
            "later. Each of --workers keeps one connection open. Secrets come from the",
            "environment: --bearer-env TOKEN, or --header 'X-Api-Key: $KEY' in single",
            "quotes.",
        ),
    ),
    "samples": Known(
        "recorded:outputs",
        "Audit recorded outputs, one file per dataset.",
        "D.txt D1.txt [D2.txt ...] [FLAGS]",
        (
            "audit samples D.txt D1.txt D2.txt --epsilon 0.5 --bins 5",
            "audit samples D.csv D1.csv --column answer --epsilon 1 --report reports",
        ),
    ),
    "canaries": Known(
        "recorded:canaries",
        "Audit a trained model by the scores of its canaries.",
        "SCORES.csv [FLAGS]",
        (
            "audit canaries scores.csv --epsilon 4 --delta 1e-5 --assignment coin",
            "audit canaries losses.parquet --score loss --lower-is-member --mu 1",
            "audit canaries pairs.npz --assignment pairs --epsilon 8 --relation substitute",
        ),
    ),
    "all": Known(
        "all:command",
        "Every mechanism of the catalogue, or every target of a file, with reports and an index.",
        "[FLAGS]",
        (
            "audit all --workers 2",
            "audit all --group Traps --report traps",
            "audit all --config audits.toml --workers 2 --store finished",
        ),
    ),
    "benchmark": Known(
        "listing:mechanism",
        "Mechanisms for one task: error and audited epsilon.",
        "NAME [FLAGS]",
        (
            "audit benchmark dp-sum",
            "audit benchmark dp-sum --sweep 0.5:2.0:0.5 --seeds 3 --report reports",
        ),
    ),
    "compare": Known(
        "results:compare",
        "Changes between two sets of results: verdicts, causes, bounds.",
        "OLD NEW [FLAGS]",
        (
            "audit compare reports.old reports",
            "audit compare old.json new.json --only-new --format markdown",
        ),
    ),
    "init": Known(
        "init:command",
        "Write a first test of your function and a first [tool.audit].",
        "FILE.py:FUNCTION --epsilon E --domain SPEC [FLAGS]",
        ("audit init release.py:noisy_sum --epsilon 1 --domain float:0:1",),
    ),
    "completion": Known(
        "listing:completion",
        "Completions of commands and flags for a shell.",
        "bash|zsh|fish",
        (
            "audit completion bash --output ~/.local/share/bash-completion/completions/audit",
            "audit completion zsh --output ~/.zfunc/_audit",
            "audit completion fish --output ~/.config/fish/completions/audit.fish",
        ),
    ),
    "render": Known(
        "results:render",
        "A report from a stored result.",
        "RESULT.json [FLAGS]",
        ("audit render result.json", "audit render result.json --report reports"),
    ),
}


def build(*, every_flag: bool = True) -> App:
    """The program with all its commands but the mechanisms of the catalogue.

    Help pages show every flag, or only those that most people need.
    """
    app = App(
        name=PROGRAM,
        help=_HELP,
        help_epilogue=_EPILOGUE,
        help_format="plaintext",
        usage="Usage: audit COMMAND|MECHANISM [FLAGS]",
        version=f"dp-audit {VERSION}",
    )
    for place, (name, known) in enumerate(COMMANDS.items()):
        app.command(
            f"audit.frontends.cli.{known.function}",
            name=name,
            help=known.help,
            usage=usage_of(name),
            **page(name, "\n".join([*_arrives(known), examples(known.examples)]), every_flag),
            sort_key=place,
        )
    return app


def _arrives(known: Known) -> list[str]:
    """Data that passes between the tool and a mechanism, before the examples of a help page."""
    return ["What arrives:", *(f"  {line}" for line in known.arrives), ""] if known.arrives else []


def examples(lines: Iterable[str]) -> str:
    """Command lines as the end of a help page."""
    return "\n".join(["Examples:", *(f"  {line}" for line in lines)])


def usage_of(name: str) -> str:
    """The line that heads a command's help page."""
    return f"Usage: {PROGRAM} {name} {COMMANDS[name].usage}".rstrip()


HELP_ALL = "--help-all"
_CLAIM = {"--epsilon", "--delta", "--rho", "--relation"}
_DATA = {"--data", "--neighbor", "--domain"}
_BUDGET = {"--max-samples", "--max-seconds", "--alpha", "--seed"}
_OUTPUT = {"--format", "--report", "--verbose"}
_AUDIT = _CLAIM | _DATA | _BUDGET | _OUTPUT
_OF_CANARIES = {"--assignment", "--score", "--member", "--lower-is-member", "--run"}
SHORT = {
    "MECHANISM": {"--epsilon", "--delta", "--data", "--domain", "--max-samples", "--seed"}
    | {"--report", "--verbose"},
    "python": _AUDIT,
    "command": _AUDIT | {"--serve"},
    "http": _AUDIT | {"--url-template", "--bearer-env"},
    "sql": _AUDIT | {"--database"},
    "samples": _CLAIM | _OUTPUT | {"--alpha", "--column"},
    "canaries": _CLAIM | _OUTPUT | _OF_CANARIES | {"--alpha", "--seed"},
    "all": _BUDGET | _OUTPUT | {"--group", "--config", "--workers"},
    "benchmark": {"--epsilon", "--sweep", "--max-samples", "--seed", "--workers"} | _OUTPUT,
}
"""Flags on the short page of each audit; other commands show all of theirs."""
MECHANISM = "Mechanism"
"""The panel of a mechanism's own parameters, which are always shown."""
_MORE = f"{HELP_ALL} shows every flag."
Formatter = Callable[["Console", "ConsoleOptions", "HelpPanel"], None]


def as_help(tokens: Sequence[str]) -> tuple[bool, list[str]]:
    """Presence of --help-all on a command line, and the line with --help in its place."""
    own, others = split(tokens)
    shown = ("--help" if token == HELP_ALL else token for token in own)
    return HELP_ALL in own, [*shown, *others]


def page(command: str, end: str, every_flag: bool) -> dict[str, Any]:
    """Arguments of `App` for the help page of a command, MECHANISM for one of the catalogue.

    The text `end` follows the flags; `every_flag` is the page of --help-all.
    """
    if every_flag or command not in SHORT:
        return {"help_epilogue": end}
    return {"help_epilogue": f"{end}\n\n{_MORE}", "help_formatter": _short(SHORT[command])}


def _short(flags: Collection[str]) -> Formatter:
    """The formatter of a page with these flags and the arguments without dashes."""

    def shown(entry: HelpEntry) -> bool:
        names = entry.positive_names
        return not names or any(name in flags for name in names)

    def formatted(console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        from cyclopts.help.formatters import DefaultFormatter

        if panel.format == "parameter" and panel.title != MECHANISM:
            panel.entries = list(filter(shown, panel.entries))
        DefaultFormatter()(console, options, panel)

    return formatted
