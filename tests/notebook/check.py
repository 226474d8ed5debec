"""Runs the notebook and compares what it shows with the engine's own answers, before and after the engine moved on.

    check.py WORK       WORK is an empty folder; NAMIDB_JAR names the connector's jar

The committed outputs must be those that a run gives, except in cells tagged "varies" and in pictures.
"""
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "notebooks"))

import payments  # noqa: E402
import run  # noqa: E402

# Put into the notebook while it is tested, each behind the cell it is named after.
PROBES = {
    "pin": "print(len(os.listdir(graphs.removeprefix('file://') + '/payments/manifest/pins')))",
    "degrees": "import json; "
               "print(json.dumps([[bool(s), b, int(payers[s][b])] for s in payers for b in payers.index if payers[s][b]]))",
    "days": "print(days.rename(index=lambda d: str(d.date())).to_json())",
    "network": "print(flows.to_json(orient='values'))",
    "again": "print(int(sql(\"CALL nami.system.pins('payments')\").this_session.sum()))",
}


def engine(graphs, work, name):
    """The engine's answers for the graph as it is now. The engine opens a copy, in a process of its own."""
    copy = work / name
    shutil.copytree(graphs, copy, ignore=shutil.ignore_patterns(".namidb", "pins"))
    script = Path(__file__).with_name("answers.py")
    return json.loads(subprocess.run([sys.executable, script, copy], check=True, stdout=subprocess.PIPE).stdout)


def text(cell):
    """What a cell shows, as text."""
    return "\n".join(o.text if o.output_type == "stream" else o.data["text/plain"] for o in cell.outputs)


def same(what, got, want):
    assert got == want, "%s: the notebook shows %r, the engine says %r" % (what, got, want)
    print("ok", what)


def columns(cell):
    """A table whose row names may have spaces: {row: [cells]}."""
    found = {}
    for line in text(cell).splitlines()[1:]:
        name, *cells = re.split(r"\s{2,}", line.strip())
        found[name] = cells
    return found


def shown(answers):
    return {k: str(v) for k, v in answers["report"].items()}


def compared(before, after, key):
    """(deleted, inserted, updated) between two states, by key."""
    a, b = key(before), key(after)
    return [len(a.keys() - b.keys()), len(b.keys() - a.keys()), sum(a[k] != b[k] for k in a.keys() & b.keys())]


def check_numbers(cells, before, after):
    same("the report", {k: v[-1] for k, v in columns(cells["report"]).items()}, shown(before))
    for k, v in columns(cells["again"]).items():
        same("again: " + k, v, [shown(before)[k]] * 2)
    for k, v in columns(cells["today"]).items():
        same("today: " + k, v, [shown(before)[k], shown(after)[k]])
    assert before["report"] != after["report"]
    counts = [int(line.split()[-1]) for line in text(cells["counts"]).splitlines()[1:]]
    same("counts", counts, [before["report"][k] for k in ("people", "shops", "payments")])
    same("payers", sorted(json.loads(text(cells["degrees-probe"]))), before["bins"])
    same("days", json.loads(text(cells["days-probe"])), before["days"])
    same("two hops", sorted(json.loads(text(cells["network-probe"]))), before["chains"])
    hops = [line.split() for line in text(cells["hops"]).splitlines()[1:]]
    same("hours kept", {" ".join(h[1:3]): float(h[-1]) for h in hops}, before["hours"])
    same("times", sum(int(h[3]) for h in hops), len(before["chains"]))


def check_changes(cells, before, after):
    people = compared(before, after, lambda s: s["people"])
    paid = compared(before, after, lambda s: {(r[0], r[1]): r[2:] for r in s["paid"]})
    want = {"delete": [people[0], paid[0]], "insert": [people[1], paid[1]],
            "update_before": [people[2], paid[2]], "update_after": [people[2], paid[2]]}
    got = {k: [int(float(x.replace("NaN", "0"))) for x in v] for k, v in columns(cells["changes"]).items() if v}
    same("changes", got, {k: v for k, v in want.items() if any(v)})
    gone = sorted(before["people"][i][0] for i in before["people"].keys() - after["people"].keys())
    same("who is gone", [" ".join(line.split()[1:3]) for line in text(cells["gone"]).splitlines()[1:]], gone)


def check_committed(committed, ran):
    for cell in committed.cells:
        if cell.cell_type != "code":
            continue
        for out in cell.outputs:
            assert out.output_type != "error" and out.get("name") != "stderr", cell.id
            path = re.search(r"file:|(?<![\w<])/(home|root|tmp|work|Users|mnt|var|opt)\b", json.dumps(out))
            assert not path or "image/png" in out.get("data", {}), "%s shows a path" % cell.id
        assert cell.execution_count, "%s was not run" % cell.id
        if "varies" not in cell.metadata.get("tags", []):
            assert text(cell) == text(ran[cell.id]), "%s: run 'bin/notebook keep' and commit its outputs" % cell.id
    print("ok the committed outputs are those of this run")


def main():
    work = Path(sys.argv[1]).resolve()
    graphs = work / "graphs"
    payments.make(str(graphs))
    before = engine(graphs, work, "before")

    committed = nbformat.read(run.NOTEBOOK, 4)
    probed = nbformat.from_dict(json.loads(json.dumps(committed)))
    probed.cells = [c for cell in probed.cells
                    for c in [cell] + ([nbformat.v4.new_code_cell(PROBES[cell.id], id=cell.id + "-probe")]
                                       if cell.id in PROBES else [])]
    cells = {c.id: c for c in run.execute(probed, graphs).cells}
    after = engine(graphs, work, "after")

    check_numbers(cells, before, after)
    check_changes(cells, before, after)
    same("leases while pinned", (text(cells["pin-probe"]).strip(), text(cells["again-probe"]).strip()), ("1", "1"))
    same("leases left", os.listdir(graphs / "payments" / "manifest" / "pins"), [])
    assert sum("image/png" in o.get("data", {}) for c in cells.values() for o in c.get("outputs", [])) == 3
    check_committed(committed, cells)


if __name__ == "__main__":
    main()
