"""Links that another user has planted in a shared folder: nothing is written or read through one."""

import errno
import os
import stat

import numpy as np
import pytest

import chancecorr as cc
from chancecorr.cli.run import run
from chancecorr.machine.printing import open_replacement, resolve_link
from chancecorr.report import to_html

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links and owners of Unix")

STRANGER = 54_321
A, B = np.arange(40) % 3, np.arange(40) % 4


def give_away(monkeypatch, link):
    """Let a link belong to another user, for all who ask; only root could really give it away."""
    lstat = os.lstat

    def ask(path, **more):
        about = lstat(path, **more)
        if os.path.abspath(os.fspath(path)) != os.path.abspath(link):
            return about
        return os.stat_result([*about[:4], STRANGER, *about[5:]])

    monkeypatch.setattr(os, "lstat", ask)


@pytest.fixture
def planted(tmp_path, monkeypatch):
    """A link of a stranger, in a folder such as /tmp, to a file of this user."""
    mine, shared = tmp_path / "profile", tmp_path / "shared"
    mine.write_text("mine")
    shared.mkdir()
    shared.chmod(0o1777)
    (shared / "file").symlink_to(mine)
    give_away(monkeypatch, shared / "file")
    return shared / "file"


def write_checkpoint(path):
    method = cc.MonteCarlo(n_tables=50, checkpoint=path, only=True)
    cc.adjust(A, B, "purity", method=method, rng=1)


WRITERS = {
    "to_csv": lambda path: cc.compare(A, {"b": B}, "rand").to_csv(path),
    "to_html": lambda path: to_html(cc.compare(A, {"b": B}, "rand"), path),
    "checkpoint": write_checkpoint,
}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("state", ["there", "not there", "through another link"])
def test_nothing_is_written_through_it(planted, writer, state, tmp_path):
    mine, path = tmp_path / "profile", planted
    if state == "not there":
        mine.unlink()
    if state == "through another link":
        path = tmp_path / "own"
        path.symlink_to(planted)
    with pytest.raises((ValueError, PermissionError), match="a link that another user made in a folder"):
        WRITERS[writer](path)
    assert mine.read_text() == "mine" if state != "not there" else not mine.exists()
    assert sorted(os.listdir(planted.parent)) == ["file"]


def test_the_command_says_so_before_the_work(planted, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("chancecorr.cli.commands._compare", lambda *_, **__: pytest.fail("computed"))
    (tmp_path / "labels.csv").write_text("a,b\n1,1\n2,1\n")
    typed = ["--data", str(tmp_path / "labels.csv"), "-o", str(planted)]
    assert run(["report", "a", "b", *typed]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"`--output` must be a file of your own; got {str(planted)!r}: it is a link that")
    assert (tmp_path / "profile").read_text() == "mine"


def test_own_links_and_those_of_the_owner_of_a_folder_are_followed(planted, tmp_path, monkeypatch):
    mine = tmp_path / "profile"
    for mode in (0o755, 0o700):  # only this user could have made it
        planted.parent.chmod(mode)
        assert resolve_link(planted) == str(mine)
    monkeypatch.undo()
    planted.parent.chmod(0o1777)
    with open_replacement(planted) as file:
        file.write(b"again")
    assert mine.read_text() == "again"
    assert planted.is_symlink()


def test_a_circle_of_links_is_an_error_of_the_system(tmp_path):
    for one, other in (("a", "b"), ("b", "a")):
        (tmp_path / one).symlink_to(tmp_path / other)
    with pytest.raises(OSError, match="symbolic links") as caught, open_replacement(tmp_path / "a") as file:
        file.write(b"lost")
    assert caught.value.errno == errno.ELOOP


def test_machine_code_is_neither_kept_nor_read_behind_a_planted_link(tmp_path, monkeypatch):
    from chancecorr.machine import compiler

    own, link = tmp_path / "own", tmp_path / "kernels"
    own.mkdir(mode=0o755)
    link.symlink_to(own)
    assert compiler.is_own_folder(str(link))
    assert compiler.is_own_folder(str(own))
    give_away(monkeypatch, link)
    assert not compiler.is_own_folder(str(link))
    os.mkfifo(own / "kernel.nbi")  # would wait for ever if it were opened
    compiler._warned.clear()
    files = compiler.Files(str(link), "kernel", "stamp")
    with pytest.warns(RuntimeWarning, match="does not read the machine code"):
        assert files._load_index() == {}
    files.save("key", b"code")
    assert os.listdir(own) == ["kernel.nbi"]
    assert stat.S_ISFIFO(os.stat(own / "kernel.nbi").st_mode)
