"""An engine that works for as long as its caller wants, on one namespace after the other.

    session.py ROOT

ROOT is the URI of a place of graphs, file:// or s3://, with what reaches the store as its query. Reads one JSON command per line from its input and answers each with one line: {"ok":...} or {"error":...}.
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

from canonical import EPOCH, answers, canonical, dump  # noqa: E402


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
    def __init__(self, root):
        self.place, _, self.query = root.partition("?")
        self.ns, self.client = None, None

    def open(self, ns):
        self.ns, self.client = ns, None
        gc.collect()
        self.client = namidb.Client("%s?ns=%s" % (self.place, ns) + ("&" + self.query if self.query else ""))

    def version(self):
        """Only of a folder; elsewhere None."""
        if not self.place.startswith("file://"):
            return None
        folder = os.path.join(self.place[len("file://"):], self.ns, "manifest", "pointer")
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
        lost = []
        while True:
            try:
                return {"rows": self.once(w), "lost": lost}
            except RuntimeError as e:
                lost.append(str(e))
                if len(lost) > w.get("patience", 1):
                    raise
                self.reopen(w.get("patience", 1))

    def reopen(self, patience):
        # An opening is a commit as well, and may lose its place.
        for i in range(patience):
            try:
                return self.open(self.ns)
            except RuntimeError:
                if i == patience - 1:
                    raise

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

    def do(self, c):
        what = c["do"]
        if what == "open":
            self.open(c["ns"])
            return self.version()
        if what == "work":
            return self.work(c)
        if what == "rows":
            rows = self.client.cypher(c["cypher"], props(c.get("parameters", {}))).rows()
            return [[canonical(v) for v in r.values()] for r in rows]
        if what == "lookups":
            found = [self.client.lookup_node(c["label"], i) for i in c["ids"]]
            return [None if n is None else props(n["properties"]) for n in found]
        if what == "look":
            return self.look(c["types"], c["labels"])
        if what == "version":
            return self.version()
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
