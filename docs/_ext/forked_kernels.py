"""Kernels of pages, forked from one process that has imported and compiled what most pages need.

Otherwise each of some fifty pages imports it anew, which takes longer than what it executes. On systems
without fork each page starts a kernel of its own.
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
from typing import Any


def serve(descriptor: int) -> None:
    """Fork a kernel for each connection to a listening socket, until standard input is closed."""
    _import_common()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(fileno=descriptor) as listening:
        while True:
            ready, _, _ = select.select([listening, sys.stdin], [], [])
            if sys.stdin in ready:
                return
            connection, _ = listening.accept()
            if os.fork() == 0:
                listening.close()
                _become_kernel(connection)
                return
            connection.close()


def _import_common() -> None:
    """Import what pages import, and evaluate common indices, so that their kernels are loaded."""
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"  # read when Matplotlib is imported
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # kernels end when this process does
    for name in ("ipykernel.kernelapp", "matplotlib.pyplot", "pandas", "sklearn.cluster", "sklearn.datasets"):
        importlib.import_module(name)
    sys.modules["pandas"].set_option("display.max_columns", 20)  # its default in a kernel
    import chancecorr as cc

    cc.adjust([0, 0, 1, 1, 2], [0, 1, 1, 1, 2], index=cc.PUBLISHED_INDICES, method="monte-carlo", rng=1)


def _become_kernel(connection: socket.socket) -> None:
    """Run a kernel with the arguments, folder and environment of the process that asks for it."""
    from ipykernel.kernelapp import IPKernelApp

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    asked = json.loads(connection.makefile().readline())
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    threading.Thread(target=lambda: (connection.recv(1), os._exit(1)), daemon=True).start()
    IPKernelApp.launch_instance(asked["arguments"])


def ask(address: str, *arguments: str) -> None:
    """Ask for a kernel, and wait until it ends; it ends when this process does."""
    asked = {"arguments": arguments, "folder": os.getcwd(), "environment": dict(os.environ)}
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        connection.sendall(json.dumps(asked).encode() + b"\n")
        connection.recv(1)


def start(app: Any) -> None:
    """Start the process, and offer it as the kernel ``python3`` until the build ends."""
    folder = tempfile.mkdtemp(prefix="kernels-")
    address = str(Path(folder, "socket"))
    kernel = Path(folder, "kernels", "python3", "kernel.json")
    kernel.parent.mkdir(parents=True)
    argv = [sys.executable, __file__, address, "-f", "{connection_file}"]
    kernel.write_text(json.dumps({"argv": argv, "display_name": "python3", "language": "python"}))
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
        app.connect("builder-inited", start)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    ask(*sys.argv[1:]) if sys.argv[2:] else serve(int(sys.argv[1]))
