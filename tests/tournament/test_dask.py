"""Leagues on a Dask cluster."""

import pytest
from small_runs import (
    FIELD,
    SEED,
    csv,
    plays,
)
from whole_proof import whole

from spadesim import league
from spadesim.errors import UsageError
from spadesim.tournament.workers import workers_for


@whole
@plays
def test_dask_cluster_gives_the_same_bytes():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        result = league(FIELD[:3], games=600, seed=SEED, scheduler=cluster.scheduler_address)
    assert csv(result) == csv(league(FIELD[:3], games=600, seed=SEED))


def test_cluster_that_does_not_answer_is_one_line(monkeypatch):
    pytest.importorskip("distributed")
    with pytest.raises(UsageError, match="no scheduler answers at 'nonsense://nowhere:1'") as refused:
        workers_for(None, 0, "nonsense://nowhere:1")
    assert "\n" not in str(refused.value)
