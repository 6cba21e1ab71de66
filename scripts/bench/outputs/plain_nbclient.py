"""Executes a notebook as nbclient does by itself, which stops reading a cell's output when the kernel says it is idle.

plain_nbclient.py NOTEBOOK FOLDER: the notebook is replaced by the executed one; FOLDER is where the kernel runs.
"""
import sys

import nbformat
from nbclient import NotebookClient

path, folder = sys.argv[1:]
book = nbformat.read(path, as_version=4)
NotebookClient(
    book, kernel_name="deno", timeout=120, allow_errors=True, resources={"metadata": {"path": folder}}
).execute()
nbformat.write(book, path)
