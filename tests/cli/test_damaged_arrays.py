"""Files of NumPy that are damaged, cut off, forged or of another kind: one line that names the file."""

import io
import os
import sys

import numpy as np
import pytest

from chancecorr.cli.run import run
from tests.processes import limit_processor_time

LABELS = np.arange(30) % 3
DRAWS = np.array([np.roll(np.arange(30), k) for k in range(30)])


def save(array, version=(1, 0)):
    """Bytes of a file of NumPy."""
    written = io.BytesIO()
    np.lib.format.write_array(written, array, version=version)
    return written.getvalue()


def forge(header, data=b""):
    """A file with this header, padded as NumPy does."""
    padded = header + b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded + data


def zip_of(**arrays):
    written = io.BytesIO()
    np.savez(written, **arrays)
    return written.getvalue()


FORGED = {
    "empty": b"",
    "the beginning alone": b"\x93NUMPY",
    "no end of the header": b"\x93NUMPY\x01\x00\xff\xff{'descr'",
    "an open header": forge(b"{'descr':'<i8',"),
    "an open text": forge(b"{'descr':'<i8"),
    "an unknown type": forge(b"{'descr': '<z9', 'fortran_order': False, 'shape': (3,), }"),
    "a call": forge(b"__import__('os').abort()"),
    "a deep header": forge(b"(" * 3000),
    "no shape": forge(b"{'descr': '<i8', 'fortran_order': False}"),
    "a shape of text": forge(b"{'descr': '<i8', 'fortran_order': False, 'shape': 'x', }"),
    "a negative shape": forge(b"{'descr': '<i8', 'fortran_order': False, 'shape': (-5,), }", b"1" * 64),
    "a shape of terabytes": forge(
        b"{'descr': '<i8', 'fortran_order': False, 'shape': (1000000000000,), }", b"1" * 64
    ),
    "a shape beyond integers": forge(b"{'descr': '<i8', 'fortran_order': False, 'shape': (10**30,), }"),
    "an endless number": forge(
        b"{'descr': '<i8', 'fortran_order': False, 'shape': (" + b"9" * 5000 + b",), }"
    ),
    "another version": b"\x93NUMPY\x09\x09" + save(LABELS)[8:],
    "objects": save(np.array([None, "a"], dtype=object)),
    "an archive": zip_of(a=LABELS),
    "junk of an archive": b"PK\x03\x04junk",
    "text": b"a,b\n1,2\n",
    "pickled": b"\x80\x04\x95\x10\x00\x00\x00\x00",
}
COMMANDS = {
    "labels": "adjust FILE.npy FILE.npy",
    "draws": "adjust a b --data labels.csv --index rand --draws FILE.npy",
}


@pytest.fixture(autouse=True)
def labels(folder):
    (folder / "labels.csv").write_text("a,b\n" + "".join(f"{k % 3},{k // 11}\n" for k in range(30)))


def refuse(capsys, command):
    """The one line on stderr; the line says which file."""
    with limit_processor_time(1.0):
        code = run(command.split())
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "damaged.npy" in err
    assert len(err) < 500
    return err


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("forged", FORGED)
def test_a_forged_file_is_named(command, forged, folder, capsys):
    (folder / "damaged.npy").write_bytes(FORGED[forged])
    said = refuse(capsys, COMMANDS[command].replace("FILE", "damaged"))
    assert "must be an array without objects that numpy.save wrote; got 'damaged.npy'" in said
    assert ("archive (.npz)" in said) == ("archive" in forged)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("part", range(4))
def test_mutants_are_read_or_refused_in_one_line(command, part, folder, capsys):
    rng = np.random.default_rng(part)
    whole = save(LABELS if command == "labels" else DRAWS, version=[(1, 0), (2, 0)][part % 2])
    for _ in range(50):
        mutant = bytearray(whole)
        for place in rng.integers(0, 128, rng.integers(1, 4)):  # the header
            mutant[place] = rng.integers(256) if rng.random() < 0.5 else rng.choice(list(b"'(),:[]{}09<>|"))
        if rng.random() < 0.3:
            mutant = mutant[: rng.integers(len(mutant))]
        (folder / "damaged.npy").write_bytes(mutant)
        code = run(COMMANDS[command].replace("FILE", "damaged").split())
        err = capsys.readouterr().err
        assert code in (0, 2)
        assert err.count("\n") == 1


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="needs files of devices")
def test_a_device_is_named(capsys):
    assert run(["adjust", "a", "b", "--data", "labels.csv", "--draws", "/dev/null"]) == 2
    assert "got '/dev/null', another kind of file." in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize(
    "command",
    [
        "adjust a b --data FILE",
        "adjust FILE:a labels.csv:b",
        "compare a --data FILE",
        "adjust-table FILE",
        "adjust a b --data labels.csv --draws FILE",
        "adjust linked.npy linked.npy",
        "adjust linked.gz:a linked.gz:b",
    ],
)
def test_an_error_while_a_file_is_read_names_the_file(command, folder, capsys):
    for name in ("linked.npy", "linked.gz"):
        (folder / name).symlink_to("/proc/self/mem")
    assert run(command.replace("FILE", "/proc/self/mem").split()) == 2
    said = capsys.readouterr().err
    assert said.startswith("`" + next(x for x in ("/proc/self/mem", "linked.npy", "linked.gz") if x in said))
    assert said.endswith("` must be a file that can be read; got: Input/output error.\n")
