"""Fork kernels and commands of pages from one process that has imported the common packages.

Otherwise each of about fifty pages, and each ``!chancecorr``, would import the packages again, which takes
longer than its code. On systems without fork each page starts a kernel, and each command a process.
"""

import importlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, NoReturn

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks" / "generated"
"""Folder to which notebooks of the repository are copied, to be executed for the site."""


def serve_forks(descriptor: int) -> None:
    """Fork a kernel or a command for each connection to a socket, until standard input is closed."""
    _import_common_packages()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(fileno=descriptor) as listening:
        while True:
            ready, _, _ = select.select([listening, sys.stdin], [], [])
            if sys.stdin in ready:
                return
            connection, _ = listening.accept()
            if os.fork() == 0:
                listening.close()
                _become_process(connection)
            connection.close()


def _import_common_packages() -> None:
    """Import the packages of the pages, and evaluate common indices, so that their kernels are loaded."""
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"  # read when Matplotlib is imported
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # kernels end when this process does
    for name in ("ipykernel.kernelapp", "matplotlib.pyplot", "pandas", "sklearn.cluster", "sklearn.datasets"):
        importlib.import_module(name)
    sys.modules["pandas"].set_option("display.max_columns", 20)  # its default in a kernel
    import chancecorr as cc

    cc.adjust([0, 0, 1, 1, 2], [0, 1, 1, 1, 2], index=cc.PUBLISHED_INDICES, method="monte-carlo", rng=1)


def _become_process(connection: socket.socket) -> NoReturn:
    """Run a kernel or a command with the arguments, folder, environment and streams of the caller."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    streams = socket.recv_fds(connection, 1, 3)[1]
    request = json.loads(connection.makefile().readline())
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(number, "w" if number else "r") for number in range(3))
    if request["what"] == "command":
        from chancecorr.cli.run import run

        sys.argv = ["chancecorr", *request["arguments"]]
        code = run()
        sys.stderr.flush()
        connection.sendall(bytes([code]))
    else:
        threading.Thread(target=lambda: (connection.recv(1), os._exit(1)), daemon=True).start()
        from ipykernel.kernelapp import IPKernelApp

        IPKernelApp.launch_instance(request["arguments"])
    os._exit(0)  # at once: a normal exit takes longer than most commands


def request_process(address: str, what: str, *arguments: str) -> int:
    """Request a kernel or a command that ends with this process; wait, and return its exit code."""
    folder = os.getcwd()
    if Path(folder) == NOTEBOOKS:  # copies: the files that they read are beside the original folder
        folder = str(NOTEBOOKS.parents[2] / "notebooks")
    request = {"what": what, "arguments": arguments, "folder": folder, "environment": dict(os.environ)}
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        socket.send_fds(connection, [b"."], [0, 1, 2])
        connection.sendall(json.dumps(request).encode() + b"\n")
        code = connection.recv(1)  # empty for a kernel, or for a command that crashed
        return code[0] if code else int(what == "command")


def start_server(app: Any) -> None:
    """Start the process, and offer it as the kernel ``python3`` and as ``chancecorr`` during the build."""
    folder = tempfile.mkdtemp(prefix="kernels-")
    address = str(Path(folder, "socket"))
    kernel = Path(folder, "kernels", "python3", "kernel.json")
    kernel.parent.mkdir(parents=True)
    argv = [sys.executable, __file__, address, "kernel", "-f", "{connection_file}"]
    kernel.write_text(json.dumps({"argv": argv, "display_name": "python3", "language": "python"}))
    script = kernel.parents[2] / "chancecorr"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "{__file__}" "{address}" command "$@"\n')
    script.chmod(0o755)
    os.environ["PATH"] = os.pathsep.join([folder, os.environ["PATH"]])
    os.environ["JUPYTER_PATH"] = folder
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        command = [sys.executable, __file__, str(listening.fileno())]
        server = subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[listening.fileno()])
    app.connect("build-finished", lambda *_: (server.communicate(), shutil.rmtree(folder)))


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    if hasattr(os, "fork"):
        app.connect("builder-inited", start_server)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    sys.exit(request_process(*sys.argv[1:]) if sys.argv[2:] else serve_forks(int(sys.argv[1])))
