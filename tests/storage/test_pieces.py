"""The folder of a study: it goes on with just what it was, and keeps what is whole."""

import json

import numpy as np
import pandas as pd
import pytest

from spadesim.errors import UsageError
from spadesim.storage.manifests import read
from spadesim.storage.run_folder import RunFolder

STUDY = {"kind": "whatif", "spec": {"seed": 1, "rules": "duel"}, "rules": {"target": 200}, "sources": {"bidder a": "1"}}
ARRAYS = {"points": np.arange(-3, 9).reshape(3, 4), "bid": np.array([4, 0, 17])}


def test_pieces_come_back_as_they_were_kept(tmp_path):
    with RunFolder(str(tmp_path / "new"), STUDY, resume=False) as pieces:
        pieces.keep("hands-3", ARRAYS)
    with RunFolder(str(tmp_path / "new"), STUDY, resume=True) as again:
        found = again.read("hands-3")
        assert again.read("hands-4") is None
    assert found is not None
    assert found.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(found[name], array, strict=True)


@pytest.mark.parametrize("hurt", [lambda data: data[:-1], lambda data: data[:40] + b"x" + data[41:], lambda data: b""])
def test_a_damaged_piece_is_named_and_missing(tmp_path, hurt):
    with RunFolder(str(tmp_path), STUDY, resume=False) as pieces:
        pieces.keep("hands-3", ARRAYS)
    (path,) = (tmp_path / "pieces").iterdir()
    path.write_bytes(hurt(path.read_bytes()))
    with RunFolder(str(tmp_path), STUDY, resume=True) as pieces:
        assert pieces.read("hands-3") is None
        assert pieces.damaged == [path.name]
        pieces.keep("hands-3", ARRAYS)
        assert pieces.read("hands-3") is not None


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"spec": {"seed": 2, "rules": "duel"}}, "its seed is 1, not 2"),
        ({"rules": {"target": 500}}, "the rules 'duel' have changed since"),
        ({"sources": {"bidder a": "2"}}, "the source of bidder a has changed since"),
        ({"kind": "tune"}, "holds a whatif study; expected a tune study"),
    ],
)
def test_another_study_is_refused_with_the_difference(tmp_path, other, words):
    with RunFolder(str(tmp_path), STUDY, resume=False) as pieces:
        pieces.keep("hands-3", ARRAYS)
    with pytest.raises(UsageError, match=words):
        RunFolder(str(tmp_path), STUDY | other, resume=True)


@pytest.mark.parametrize("key", ["engine", "versions"])
def test_another_engine_or_version_is_refused(tmp_path, key):
    with RunFolder(str(tmp_path), STUDY, resume=False) as pieces:
        pieces.keep("hands-3", ARRAYS)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    manifest[key] = {"spadesim": "0.0"} if key == "versions" else "another"
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(UsageError, match="cannot resume the whatif study in .*: it was played by"):
        RunFolder(str(tmp_path), STUDY, resume=True)


def test_a_folder_in_use_or_with_something_else_is_refused(tmp_path):
    (tmp_path / "letters.txt").write_text("dear")
    with pytest.raises(UsageError, match="holds something already"):
        RunFolder(str(tmp_path), STUDY, resume=False)
    with pytest.raises(UsageError, match="holds no whatif study: it has no manifest.json"):
        RunFolder(str(tmp_path), STUDY, resume=True)
    with (
        RunFolder(str(tmp_path / "new"), STUDY, resume=False),
        pytest.raises(UsageError, match="another run is writing"),
    ):
        RunFolder(str(tmp_path / "new"), STUDY, resume=True)
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "manifest.json").write_text('{"kind": "whatif"}')
    with pytest.raises(UsageError, match="holds a whatif study; expected a run"):
        read(tmp_path / "kept")


def test_a_study_that_found_nothing_leaves_no_folder(tmp_path):
    with pytest.raises(ValueError, match="no luck"), RunFolder(str(tmp_path / "new"), STUDY, resume=False):
        raise ValueError("no luck")
    assert not (tmp_path / "new").exists()


def test_tables_and_state_are_written_at_the_end(tmp_path):
    with RunFolder(str(tmp_path), STUDY, resume=False) as pieces:
        pieces.keep("hands-3", ARRAYS)
        pieces.finish({"regret": pd.DataFrame({"bot": ["a"], "points": [0.5]})}, complete=True)
    assert (tmp_path / "regret.csv").read_text() == "bot,points\na,0.5\n"
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert (manifest["state"], manifest["kind"], manifest["spec"]) == ("complete", "whatif", STUDY["spec"])
