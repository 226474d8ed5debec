"""An engine that works for as long as its caller wants, on one namespace after the other.

    session.py STORE

Reads one JSON command per line from its input and answers each with one line: {"ok":...} or {"error":...}.
A namespace name is used once per process, because the engine's caches are keyed by it. Values have the form of
golden/README.md.

A client that another writer has overtaken fails its next commit, loses what that commit held and has to be opened
again. "work" does exactly that: it keeps its client until this happens, opens anew and does the same work again.
"""
import datetime as dt
import gc
import json
import os
import sys

# Small levels, so that compactions cascade in short histories. Read by the engine when it opens.
os.environ.setdefault("NAMIDB_COMPACTION_BASE_BYTES", "4096")
os.environ.setdefault("NAMIDB_COMPACTION_LEVEL_RATIO", "4")

import namidb  # noqa: E402

from canonical import EPOCH, answers, dump  # noqa: E402


def plain(v):
    """The reverse of canonical."""
    if isinstance(v, list):
        return [plain(x) for x in v]
    if not isinstance(v, dict):
        return v
    tag, x = next(iter(v.items()))
    if tag == "$bytes":
        return bytes.fromhex(x)
    if tag == "$date":
        return dt.date(1970, 1, 1) + dt.timedelta(days=x)
    if tag == "$datetime":
        return EPOCH + dt.timedelta(microseconds=x)
    assert tag == "$map", tag
    return {k: plain(y) for k, y in x.items()}


def props(d):
    return {k: plain(v) for k, v in d.items()}


def quoted(name):
    return "`" + name.replace("`", "``") + "`"


class Session:
    def __init__(self, store):
        self.store, self.ns, self.client = os.path.abspath(store), None, None

    def open(self, ns):
        self.ns, self.client = ns, None
        gc.collect()
        self.client = namidb.Client("file://%s?ns=%s" % (self.store, ns))

    def version(self):
        folder = os.path.join(self.store, self.ns, "manifest", "pointer")
        return max(int(n[1:17], 16) for n in os.listdir(folder))

    def once(self, w):
        c = self.client
        for n in w.get("nodes", []):
            c.upsert_node_with_labels(n["labels"], n["id"], props(n["properties"]))
        for label, i in w.get("buried", []):
            c.tombstone_node(label, i)
        for e in w.get("edges", []):
            c.upsert_edge(e["type"], e["src"], e["dst"], props(e["properties"]))
        for t, src, dst in w.get("cut", []):
            c.tombstone_edge(t, src, dst)
        if any(k in w for k in ("nodes", "buried", "edges", "cut")):
            c.commit()
        rows = None
        if "cypher" in w:
            rows = len(list(c.cypher(w["cypher"], props(w.get("parameters", {}))).rows()))
        if w.get("flush"):
            c.flush()
        if w.get("compact"):
            c.compact()
        return rows

    def work(self, w):
        try:
            return {"rows": self.once(w), "again": ""}
        except RuntimeError as e:
            self.open(self.ns)
            return {"rows": self.once(w), "again": str(e)}

    def look(self, types, labels):
        nodes, edges = answers(self.client, types)
        by_label = {l: sorted(r["n"]["id"] for r in self.client.cypher("MATCH (n:%s) RETURN n" % quoted(l)).rows())
                    for l in labels}
        walks = []
        for t in types:
            for arrow in ("-[r:%s]->", "<-[r:%s]-"):
                q = "MATCH (a)" + arrow % quoted(t) + "(b) RETURN r"
                walks.append(sorted([r["r"]["src"], r["r"]["dst"]] for r in self.client.cypher(q).rows()))
        return {"nodes": nodes, "edges": edges, "labels": by_label, "walks": walks}

    def storm(self, ns, label, edge_type, hub):
        """Commits without a pause until a line comes in. Tells what was acknowledged, and what failed how."""
        import threading
        stop = threading.Event()
        threading.Thread(target=lambda: (sys.stdin.readline(), stop.set()), daemon=True).start()
        acked, tried, errors, n = [], [], [], 0
        while not stop.is_set():
            i = "%08x-0000-4000-8000-%012x" % (0xE0000000 + n, n)
            tried.append(i)
            try:
                self.client.upsert_node(label, i, {"n": n})
                self.client.upsert_edge(edge_type, i, hub, {"n": n})
                self.client.commit()
                acked.append(i)
            except RuntimeError as e:
                errors.append(str(e))
                while True:
                    try:
                        self.open(ns)
                        break
                    except RuntimeError as e2:
                        errors.append("open: " + str(e2))
            n += 1
        return {"acked": acked, "tried": tried, "errors": errors}

    def do(self, c):
        what = c["do"]
        if what == "open":
            self.open(c["ns"])
            return self.version()
        if what == "work":
            return self.work(c)
        if what == "look":
            return self.look(c["types"], c["labels"])
        if what == "version":
            return self.version()
        if what == "storm":
            return self.storm(c["ns"], c["label"], c["type"], c["hub"])
        raise ValueError(what)


def main():
    s = Session(sys.argv[1])
    for line in iter(sys.stdin.readline, ""):
        try:
            out = {"ok": s.do(json.loads(line))}
        except Exception as e:  # the caller decides what an error means
            out = {"error": "%s: %s" % (type(e).__name__, e)}
        sys.stdout.write(dump(out) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
