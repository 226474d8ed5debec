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
    row = one(c, "MATCH (:Person)-[r:KNOWS]->() RETURN count(r) AS c, max(r.weight) AS w")
    same("edges", [row["c"], row["w"]], [want["edges"]["count"], want["edges"]["heaviest"]])
    same("older edges", one(c, "MATCH (:Person)-[r:MADE]->(:Person) RETURN count(r) AS c")["c"], 2)
    for p in want["people"]:
        me = "(n:Person {_id: '%s'})" % p["_id"]
        row = one(c, "MATCH %s RETURN n.name AS name, n.city AS city, n.score AS score, n.n AS n" % me)
        same("node", dict(row), {k: p[k] for k in ("name", "city", "score", "n")})
        for way, far, near, at in (("%s-[r:KNOWS]->(m)", "_dst", "_src", "out"), ("%s<-[r:KNOWS]-(m)", "_src", "_dst", "in")):
            rows = c.cypher(("MATCH " + way + " RETURN id(m) AS m, r.weight AS w") % me).rows()
            expected = [(e[far], e["weight"]) for e in want[at] if e[near] == p["_id"]]
            same("partners", sorted((r["m"], r["w"]) for r in rows), sorted(expected))


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
    step("answered in", lambda: compare(c, want))
    c.upsert_node("Later", uid(5000), {})
    c.commit()
    step("flushed in", c.flush)
    step("compacted in", c.compact)
    c = None
    c = step("opened again in", lambda: open_client(folder))
    step("answered in", lambda: compare(c, want))
    print("engine: " + ", ".join(took))


if __name__ == "__main__":
    {"start": start, "check": check}[sys.argv[1]](sys.argv[2])
