"""Runs a notebook of this folder from top to bottom, on a graph that the engine makes for it: run.py FOLDER OUT

FOLDER is where the graph is made. The notebook is pinned-analytics.ipynb, OUT the copy with the outputs of this run.
"""
import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

import payments

HERE = Path(__file__).resolve().parent
NOTEBOOK = HERE / "pinned-analytics.ipynb"


def execute(notebook, folder):
    """Fills in the outputs. What the JVM writes stays out of them: it names the machine."""
    os.environ["NAMIDB_GRAPHS"] = Path(folder).resolve().as_uri()
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    NotebookClient(notebook, kernel_name="python3", timeout=300, record_timing=False,
                   resources={"metadata": {"path": str(HERE)}},
                   extra_arguments=["--IPKernelApp.capture_fd_output=False"]).execute()
    return notebook


def main():
    folder, out = sys.argv[1:]
    payments.make(folder)
    notebook = execute(nbformat.read(NOTEBOOK, 4), folder)
    nbformat.write(notebook, out)


if __name__ == "__main__":
    main()
