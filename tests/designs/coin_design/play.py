"""Toss coins, a hundred to a shard; a file named "ctrl-c" interrupts it after the first one, as the keys would."""

import os
import signal
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Unpack

import numpy as np

from coin_design.spec import CoinsSpec
from coin_design.tables import sides
from spadesim.designs.experiment import ExperimentValues, check_call, takes
from spadesim.designs.result import Result, Table
from spadesim.storage.run_folder import RunFolder
from spadesim.tournament.chunks import work_through
from spadesim.tournament.run_options import RunOptions

COINS_A_SHARD = 100


@dataclass(repr=False)
class Coins(Result):
    """Coins that have been tossed."""

    sides = Table("How many coins fell on each side, a row a side.")

    @property
    def conclusion(self) -> str:
        """Which side is ahead."""
        return f"{self.sides['side'][self.sides['coins'].argmax()]} are ahead"


@takes(CoinsSpec, hidden=("rules", "load"))
def coins(number: int, **options: Unpack[ExperimentValues]) -> Coins:
    """Toss coins."""
    return play(*check_call(CoinsSpec, {"coins": number}, options))


def play(spec: CoinsSpec, options: RunOptions) -> Coins:
    """Toss coins, or those that are left."""
    run = {"kind": spec.design, "spec": spec.model_dump(mode="json"), "rules": {}, "sources": {}}
    with RunFolder(options.out, run, options.resume) if options.out is not None else nullcontext() as folder:
        heads, left = {}, []
        for shard in range(-(-spec.coins // COINS_A_SHARD)):
            arrays = folder.read(f"coins-{shard:06}") if folder is not None else None
            if arrays is None:
                left.append(shard)
            else:
                heads[shard] = int(arrays["heads"])

        def take(shard: int, found: int) -> None:
            heads[shard] = found
            if folder is not None:
                folder.keep(f"coins-{shard:06}", {"heads": np.array(found)})
            if Path("ctrl-c").exists():
                os.kill(os.getpid(), signal.SIGINT)

        reporter = options.reporter
        reporter.start(len(left), f"shards of {COINS_A_SHARD} coins")
        try:
            work = partial(toss, spec)
            complete = work_through(work, left, workers=options.processes, take=take, reporter=reporter)
        finally:
            reporter.stop()
        tossed = sum(size_of(spec, shard) for shard in heads)
        result = Coins(spec, {"sides": sides(sum(heads.values()), tossed)}, complete=complete)
        if folder is not None:
            folder.finish(result.tables, complete)
    reporter.note(result.conclusion)
    return result


def size_of(spec: CoinsSpec, shard: int) -> int:
    """Return how many coins a shard has."""
    return min(COINS_A_SHARD, spec.coins - shard * COINS_A_SHARD)


def toss(spec: CoinsSpec, shard: int) -> int:
    """Count heads in a shard, a pure function of the seed and the shard's number."""
    generator = np.random.Generator(np.random.Philox(key=spec.seed, counter=[0, 0, 0, shard]))
    return int(generator.integers(2, size=size_of(spec, shard)).sum())
