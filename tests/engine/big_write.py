"""The engine's part of bin/big-write. Each command is a process of its own.

    big_write.py start DIR          makes namespace g with a few nodes and edges, some flushed, some in the WAL
    big_write.py check DIR          compares what Cypher answers with DIR/expected.json, flushes, compacts, opens the
                                    namespace again and compares once more; prints how long each step took
"""
import gc
import json
import os
import sys
import time

import namidb


def open_client(folder):
    gc.collect()
    return namidb.Client("file://%s?ns=g" % os.path.abspath(folder))


def uid(n):
    return "00000000-0000-0000-0000-%012x" % n


def start(folder):
    c = open_client(folder)
    for n in range(100):
        c.upsert_node("Person", uid(n), {"name": "engine%d" % n})
    c.upsert_edge("MADE", uid(0), uid(1), {})
    c.commit()
    c.flush()
    c.upsert_node("Person", uid(100), {"name": "wal"})
    c.upsert_edge("MADE", uid(1), uid(100), {})
    c.commit()


def one(c, query):
    return c.cypher(query).rows()[0]


def compare(c, want):
    def same(what, got, expected):
        assert got == expected, "%s: %r, not %r" % (what, got, expected)

    row = one(c, "MATCH (n:Person) RETURN count(n) AS c, count(n.n) AS n, sum(n.n) AS s")
    same("nodes", [row["c"], row["n"], row["s"]], [want["nodes"]["count"] + 101, want["nodes"]["count"], want["nodes"]["n"]])
    # The engine counts a type at once; it takes minutes as soon as the pattern names a label or a property.
    same("edges", one(c, "MATCH ()-[r:KNOWS]->() RETURN count(r) AS c")["c"], want["edges"]["count"])
    same("older edges", one(c, "MATCH ()-[r:MADE]->() RETURN count(r) AS c")["c"], 2)
    partners = {}
    for at, near, far in (("out", "_src", "_dst"), ("in", "_dst", "_src")):
        for e in want[at]:
            partners.setdefault((at, e[near]), []).append((e[far], e["weight"]))
    for p in want["people"]:
        me = "(n:Person {_id: '%s'})" % p["_id"]
        row = one(c, "MATCH %s RETURN n.name AS name, n.city AS city, n.score AS score, n.n AS n" % me)
        same("node", dict(row), {k: p[k] for k in ("name", "city", "score", "n")})
        for way, at in (("%s-[r:KNOWS]->(m)", "out"), ("%s<-[r:KNOWS]-(m)", "in")):
            rows = c.cypher(("MATCH " + way + " RETURN id(m) AS m, r.weight AS w") % me).rows()
            same("partners", sorted((r["m"], r["w"]) for r in rows), sorted(partners.get((at, p["_id"]), [])))
    return len(want["people"]), len(want["out"]) + len(want["in"])


def check(folder):
    with open(os.path.join(folder, "expected.json")) as f:
        want = json.load(f)
    took = []

    def step(name, work):
        begun = time.time()
        out = work()
        took.append("%s %.1f s" % (name, time.time() - begun))
        return out

    c = step("opened in", lambda: open_client(folder))
    looked = step("answered in", lambda: compare(c, want))
    c.upsert_node("Later", uid(5000), {})
    c.commit()
    step("flushed in", c.flush)
    step("compacted in", c.compact)
    c = None
    c = step("opened again in", lambda: open_client(folder))
    step("answered in", lambda: compare(c, want))
    print("engine: %d nodes looked up, %d edges reached from them; " % looked + ", ".join(took))


if __name__ == "__main__":
    {"start": start, "check": check}[sys.argv[1]](sys.argv[2])
