"""The folder of a run: it goes on with just what it was, and keeps what is whole."""

import json

import numpy as np
import pandas as pd
import pytest

from spadesim.errors import UsageError
from spadesim.storage.manifests import read
from spadesim.storage.run_folder import RunFolder

RUN = {"kind": "whatif", "spec": {"seed": 1, "rules": "duel"}, "rules": {"target": 200}, "sources": {"bidder a": "1"}}
ARRAYS = {"points": np.arange(-3, 9).reshape(3, 4), "bid": np.array([4, 0, 17])}


def test_shards_come_back_as_they_were_kept(tmp_path):
    with RunFolder(str(tmp_path / "new"), RUN, resume=False) as folder:
        folder.keep("hands-3", ARRAYS)
    with RunFolder(str(tmp_path / "new"), RUN, resume=True) as again:
        found = again.read("hands-3")
        assert again.read("hands-4") is None
    assert found is not None
    assert found.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(found[name], array, strict=True)


@pytest.mark.parametrize("hurt", [lambda data: data[:-1], lambda data: data[:40] + b"x" + data[41:], lambda data: b""])
def test_a_damaged_shard_is_named_and_missing(tmp_path, hurt):
    with RunFolder(str(tmp_path), RUN, resume=False) as folder:
        folder.keep("hands-3", ARRAYS)
    (path,) = (tmp_path / "shards").iterdir()
    path.write_bytes(hurt(path.read_bytes()))
    with RunFolder(str(tmp_path), RUN, resume=True) as folder:
        assert folder.read("hands-3") is None
        assert folder.damaged == [path.name]
        folder.keep("hands-3", ARRAYS)
        assert folder.read("hands-3") is not None


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"spec": {"seed": 2, "rules": "duel"}}, "its seed is 1, not 2"),
        ({"rules": {"target": 500}}, "the rules 'duel' have changed since"),
        ({"sources": {"bidder a": "2"}}, "the source of bidder a has changed since"),
        ({"kind": "tune"}, "holds a whatif run; expected a tune run"),
    ],
)
def test_another_run_is_refused_with_the_difference(tmp_path, other, words):
    with RunFolder(str(tmp_path), RUN, resume=False) as folder:
        folder.keep("hands-3", ARRAYS)
    with pytest.raises(UsageError, match=words):
        RunFolder(str(tmp_path), RUN | other, resume=True)


@pytest.mark.parametrize("key", ["engine", "versions"])
def test_another_engine_or_version_is_refused(tmp_path, key):
    with RunFolder(str(tmp_path), RUN, resume=False) as folder:
        folder.keep("hands-3", ARRAYS)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    manifest[key] = {"spadesim": "0.0"} if key == "versions" else "another"
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(UsageError, match="cannot resume the run in .*: it was played by"):
        RunFolder(str(tmp_path), RUN, resume=True)


def test_a_folder_in_use_or_with_something_else_is_refused(tmp_path):
    (tmp_path / "letters.txt").write_text("dear")
    with pytest.raises(UsageError, match="holds something already"):
        RunFolder(str(tmp_path), RUN, resume=False)
    with pytest.raises(UsageError, match="holds no whatif run: it has no manifest.json"):
        RunFolder(str(tmp_path), RUN, resume=True)
    with (
        RunFolder(str(tmp_path / "new"), RUN, resume=False),
        pytest.raises(UsageError, match="another run is writing"),
    ):
        RunFolder(str(tmp_path / "new"), RUN, resume=True)
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "manifest.json").write_text('{"kind": "whatif"}')
    with pytest.raises(UsageError, match="holds a whatif run; expected a tune run"):
        read(tmp_path / "kept", "tune")


def test_a_run_that_found_nothing_leaves_no_folder(tmp_path):
    with pytest.raises(ValueError, match="no luck"), RunFolder(str(tmp_path / "new"), RUN, resume=False):
        raise ValueError("no luck")
    assert not (tmp_path / "new").exists()


def test_tables_and_state_are_written_at_the_end(tmp_path):
    with RunFolder(str(tmp_path), RUN, resume=False) as folder:
        folder.keep("hands-3", ARRAYS)
        folder.finish({"regret": pd.DataFrame({"bot": ["a"], "points": [0.5]})}, complete=True)
    assert (tmp_path / "regret.csv").read_text() == "bot,points\na,0.5\n"
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert (manifest["state"], manifest["kind"], manifest["spec"]) == ("complete", "whatif", RUN["spec"])
