"""Runs a notebook of this folder from top to bottom, on a graph that the engine makes for it: run.py PLACE OUT

PLACE is where the graph is made, a folder or a URI. The notebook is pinned-analytics.ipynb, OUT the copy with the outputs of this run.
"""
import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

import payments

HERE = Path(__file__).resolve().parent
NOTEBOOK = HERE / "pinned-analytics.ipynb"


def execute(notebook, place):
    """Fills in the outputs. What the JVM writes stays out of them: it names the machine."""
    os.environ["NAMIDB_GRAPHS"] = payments.as_uri(str(place))
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    NotebookClient(notebook, kernel_name="python3", timeout=300, record_timing=False,
                   resources={"metadata": {"path": str(HERE)}},
                   extra_arguments=["--IPKernelApp.capture_fd_output=False"]).execute()
    return notebook


def main():
    place, out = sys.argv[1:]
    payments.make(place)
    notebook = execute(nbformat.read(NOTEBOOK, 4), place)
    nbformat.write(notebook, out)


if __name__ == "__main__":
    main()
