"""Executes a notebook as Jupyter's own programs do, which stop reading a cell's output when the kernel says it is idle.

plain_clients.py nbclient|jupyter_client NOTEBOOK FOLDER: the notebook is replaced by the executed one; FOLDER is where the
kernel runs.
"""
import sys

import nbformat
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient

TIMEOUT = 120


def with_nbclient(book, folder):
    NotebookClient(
        book, kernel_name="deno", timeout=TIMEOUT, allow_errors=True, resources={"metadata": {"path": folder}}
    ).execute()


def with_jupyter_client(book, folder):
    """The few lines that anybody writes who drives a kernel: `execute_interactive` and what its hook is told."""
    manager, client = start_new_kernel(kernel_name="deno", cwd=folder)
    try:
        for cell in book.cells:

            def told(message, cell=cell):
                if message["msg_type"] in ("stream", "display_data", "execute_result", "error"):
                    cell.outputs.append(nbformat.v4.output_from_msg(message))

            client.execute_interactive(cell.source, allow_stdin=False, output_hook=told, timeout=TIMEOUT)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


client, path, folder = sys.argv[1:]
book = nbformat.read(path, as_version=4)
{"nbclient": with_nbclient, "jupyter_client": with_jupyter_client}[client](book, folder)
nbformat.write(book, path)
