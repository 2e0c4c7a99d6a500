"""What a study is: leagues of the same field on the same deals, and the name of what is asked of them."""

import pkgutil
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import ClassVar, Self

from pydantic import Field

from spadesim.bots import loading
from spadesim.designs.league.spec import LOG_PATTERN, LeagueSpec
from spadesim.errors import UsageError, unknown


class StudySpec(LeagueSpec):
    """What a study is.

    Attributes
    ----------
    study
        A module of `spadesim.studies`, or a Python file.
    variants
        Changes of the rules, such as ``"target=500"`` or ``"nil=50:target=500"``, each of which makes a league; where
        there are none, there is one league by the rules as they are.
    log
        As of any league, but every deal where nothing is said.
    """

    design: ClassVar[str] = "study"
    page: ClassVar[str] = "STUDIES.md"

    study: str
    variants: tuple[str, ...] = Field((), strict=False)
    log: str = Field("deals", pattern=LOG_PATTERN)

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of the tables that the study makes."""
        return tuple(self.module.TABLES)

    @property
    def shown(self) -> tuple[str, ...]:
        """The first of them, where none is asked for."""
        return self.table_names[:1]

    def about(self, table: str) -> str:
        """Return what a table tells, as the study says."""
        return str(self.module.TABLES.get(table, ""))

    def beside(self, folder: Path) -> Self:
        """Return the same, with the files that it names in a folder."""
        spec = super().beside(folder)
        return spec.model_copy(update={"study": str(folder / self.study)}) if _is_file(self.study) else spec

    @property
    def module(self) -> ModuleType:
        """Where the study's function is.

        Raises
        ------
        UsageError
            When there is no such study, or the file declares none.
        """
        if _is_file(self.study):
            module = loading.load_file(self.study)
            if not (callable(getattr(module, "study", None)) and isinstance(getattr(module, "TABLES", None), dict)):
                raise UsageError(f"{self.study} is no study; expected a function study(parts) and a dictionary TABLES")
            return module
        if self.study not in list_studies():
            raise unknown("study", self.study, list_studies(), "a file's name ends in .py")
        return import_module(f"spadesim.studies.{self.study}")

    def leagues(self) -> dict[str, LeagueSpec]:
        """Make the specs of the leagues behind it, by variant."""
        values = self.model_dump(exclude={"study", "variants"})
        rules = {variant: f"{self.rules}:{variant}" for variant in self.variants} or {"": self.rules}
        return {variant: LeagueSpec(**values | {"rules": text}) for variant, text in rules.items()}


def list_studies() -> list[str]:
    """Name the bundled studies; the kit that they are written with is a package beside them."""
    return [
        module.name for module in pkgutil.iter_modules(import_module("spadesim.studies").__path__) if not module.ispkg
    ]


def _is_file(name: str) -> bool:
    return name.endswith(".py")


SPEC = StudySpec
