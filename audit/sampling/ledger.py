"""A file that remembers every audit of a target, so that its level holds for all of them.

Of one audit: the level it gets, whose wealth it goes on with, what became of it.
"""

from __future__ import annotations

import hashlib
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

from audit.case import Case, Settings
from audit.errors import InputError
from audit.sampling.identity import digest_of, identity_of
from audit.sampling.ledger_entry import FORFEIT, Begun, Ended, Standing
from audit.sampling.ledger_history import History, LedgerFile
from audit.sampling.running_wealth import together_of

_ABOUT_ONE_AUDIT = ("seed", "alpha")
_FOREIGN = (
    *(Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    Path(__file__).parents[2],
)
"""Installed modules, and the auditor's own, which loads some of its files when they are needed."""


def unchanged(case: Case, settings: Settings) -> str:
    """A checksum that changes with everything that an audit's draws depend on, but its seed.

    A change that this cannot see (a program's own libraries, a service elsewhere) does not
    touch the guarantee, only which version an accusation is about: see `history`.
    """
    identity = identity_of(case, settings)
    same = {name: value for name, value in identity.items() if name not in _ABOUT_ONE_AUDIT}
    return digest_of([same, list(_sources(case.box)), _installed()])


def _installed() -> list[str]:
    """All distributions of this environment with their versions."""
    found = {f"{dist.name} {dist.version}" for dist in metadata.distributions()}
    return sorted(found)


def _sources(box: Any) -> Iterator[Path]:
    """The files of a project that a function uses, as far as its imports tell."""
    function = getattr(box, "function", None)
    name = getattr(function, "__module__", None) or type(function).__module__
    seen: dict[Path, None] = {}
    left = [sys.modules.get(name)]
    while left:
        module = left.pop()
        file = None if module is None else _own_file(module)
        if module is not None and file is not None and file not in seen:
            seen[file] = None
            left += _used_by(module)
    return iter(sorted(seen))


def _used_by(module: ModuleType) -> list[ModuleType | None]:
    """Modules that a module imports, or imports something from."""
    found: list[ModuleType | None] = []
    for value in vars(module).values():
        if isinstance(value, ModuleType):
            found.append(value)
        elif isinstance(name := getattr(value, "__module__", None), str):
            found.append(sys.modules.get(name))
    return found


def _own_file(module: ModuleType) -> Path | None:
    """The source of a module that is neither Python's own nor installed."""
    name = getattr(module, "__file__", None)
    file = None if name is None else Path(name)
    if file is None or not file.is_file() or any(map(file.is_relative_to, _FOREIGN)):
        return None
    return file


_BATCHES = ".batches"
_SMALLEST = 1e-300
"""Levels below would leave the range of floats."""
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Entered:
    """An audit whose level is spent."""

    ledger: Ledger
    entry: Begun

    @property
    def standing(self) -> Standing:
        """What the result says of it."""
        entry = self.entry
        return Standing(
            file=str(self.ledger.path),
            target=entry.target,
            audit=entry.audit,
            build=entry.build,
            alpha=entry.alpha,
            runs=entry.runs,
        )

    def settings(self, settings: Settings) -> Settings:
        """The settings of the audit: its level, its seed, its runs, where batches are kept."""
        entry, execution = self.entry, settings.execution
        if entry.kept:
            store = self.ledger.folder / entry.kept
            execution = replace(execution, store=store, shared=False)
        return replace(
            settings,
            alpha=entry.level,
            seed=entry.seed,
            budget=replace(settings.budget, max_samples=entry.runs),
            execution=execution,
        )

    def end(
        self, verdict: str, log_evalue: float, samples: int, gained: float | None = None
    ) -> Standing:
        """Say what became of it.

        Args:
            verdict: of the audit alone.
            log_evalue: natural log of the largest wealth it reached alone.
            samples: runs it took, those of earlier builds with them.
            gained: log of its final wealth over that at its start, at the claim's level; minus
                infinity or None if it may not be counted.

        Returns:
            Where it stands, all versions together.
        """
        entry = Ended(
            begun=self.entry.mark,
            target=self.entry.target,
            verdict=verdict,
            log_evalue=max(-1e300, min(1e300, log_evalue)),
            samples=samples,
            at=_now(),
            gained=FORFEIT if gained is None else max(FORFEIT, min(-FORFEIT, gained)),
        )
        with LedgerFile.locked(self.ledger.path) as file:
            history = file.history(entry.target)
            found = together_of(history, self.entry, entry)
            if found is not None and found.accused:
                entry = replace(entry, verdict="violation")
            file.add(entry)
        return replace(self.standing, together=found)


@dataclass(frozen=True, slots=True)
class Ledger:
    """A file that remembers every audit of every target, so that levels hold for all of them.

    Attributes:
        path: of the file.
        target: what its lines call what is audited; the result's name for it where None.
    """

    path: Path
    target: str | None = None

    @property
    def folder(self) -> Path:
        """Where finished batches are kept."""
        return self.path.with_name(f"{self.path.name}{_BATCHES}")

    def entered(self, case: Case, settings: Settings) -> Entered:
        """Spend a level, or go on with the wealth of an unchanged target.

        Args:
            case: what is audited.
            settings: how; their alpha is that of all audits of the target together.

        Raises:
            InputError: the ledger cannot be trusted, alpha is not that of earlier audits, or
                it is spent.
            StoreError: the file cannot be read or written.
        """
        check_kept(self.path, settings.execution.store, settings.null)
        keep = settings.max_seconds is None
        target, identity = self.target or case.name, unchanged(case, settings)
        with LedgerFile.locked(self.path) as file:
            history = file.history(target)
            self._check_alpha(history, settings.alpha)
            together = history.half_of_rest(settings.alpha)
            if history.spent + together > settings.alpha * (1.0 + _ROUNDING):
                raise self._overspent(target, settings.alpha)
            latest = history.latest(identity)
            if keep and latest and latest.kept and (self.folder / latest.kept).is_file():
                entry = self._continued(history, latest, settings)
            else:
                keep = keep and (latest is None or latest.kept != "")
                entry = self._fresh(history, settings, target, identity, keep, together)
            if entry is not latest:
                file.add(entry)
        self._forget(history, entry)
        return Entered(self, entry)

    def reserved(self, settings: Settings) -> Entered:
        """Spend a level that several audits share, none of which is gone on with.

        Raises:
            InputError: as `entered`.
            StoreError: the file cannot be read or written.
        """
        target = self.target or ""
        with LedgerFile.locked(self.path) as file:
            history = file.history(target)
            self._check_alpha(history, settings.alpha)
            entry = self._fresh(history, settings, target, "", False, history.together)
            file.add(entry)
        return Entered(self, entry)

    def _continued(self, history: History, latest: Begun, settings: Settings) -> Begun:
        """The next build of an audit; one that did not come to its end is taken up again."""
        if not history.finished(latest):
            return latest
        return replace(
            latest,
            build=latest.build + 1,
            runs=latest.runs + settings.max_samples,
            at=_now(),
            continues=latest.origin,
            after=history.last,
        )

    def _fresh(
        self,
        history: History,
        settings: Settings,
        target: str,
        identity: str,
        keep: bool,
        together: float,
    ) -> Begun:
        """An audit that begins with a wealth of 1."""
        number, level = len(history.fresh) + 1, history.next_level(settings.alpha, together)
        if level < _SMALLEST:
            raise self._overspent(target, settings.alpha)
        kept = f"{identity[:12]}-{number}.db" if keep else ""
        if keep:
            # What a lost ledger has left there is not of this audit.
            self.folder.mkdir(exist_ok=True)
            self._remove(kept)
        return Begun(
            target=target,
            audit=number,
            build=1,
            alpha=settings.alpha,
            level=level,
            seed=_seed(settings.seed, target, number),
            runs=settings.max_samples,
            identity=identity,
            kept=kept,
            at=_now(),
            continues="",
            after=history.last,
            together=together,
        )

    def _check_alpha(self, history: History, alpha: float) -> None:
        known = {entry.alpha for entry in history.begun}
        if known - {alpha}:
            raise InputError(
                f"--ledger {str(self.path)!r} holds audits of this target at alpha "
                f"{known.pop():g}, not {alpha:g}; give that one, or another file",
                alpha,
            )

    def _overspent(self, target: str, alpha: float) -> InputError:
        return InputError(
            f"--ledger {str(self.path)!r}: the audits of {target!r}, which went on side by side, "
            f"have spent its alpha of {alpha:g}; give another file, whose levels start anew",
            self.path,
        )

    def _forget(self, history: History, entry: Begun) -> None:
        """Remove batches of audits that no build will go on with."""
        for other in history.fresh:
            if other.kept and other.kept != entry.kept:
                self._remove(other.kept)

    def _remove(self, kept: str) -> None:
        """A file of batches, and what its database writes beside it."""
        for end in ("", "-wal", "-shm"):
            (self.folder / f"{kept}{end}").unlink(missing_ok=True)


def check_kept(ledger: object, store: object, null: bool) -> None:
    """Refuse what does not go with a ledger.

    Raises:
        InputError: the audit accuses nobody, or its batches are to be kept elsewhere.
    """
    if ledger is not None and null:
        raise InputError("--null accuses no mechanism; leave --ledger out", null)
    if ledger is not None and store is not None:
        raise InputError(
            "--ledger keeps finished batches in a folder of its own; leave --store out", store
        )


def _seed(given: int, target: str, number: int) -> int:
    """A seed of its own for every audit, so that what one has shown is not known to the next."""
    named = f"{given} {number} {target}".encode("utf-8", "replace")
    return int.from_bytes(hashlib.blake2b(named, digest_size=4).digest(), "little")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
