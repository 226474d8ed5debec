"""One step of an engine's work on a namespace it shares with Spark, wherever that is.

    shared.py URI make|change|look EDGE_TYPES

Credentials of a store come from the environment, as always with the engine. Prints one line, what the engine
sees at the end: {"nodes":[...],"edges":[...]}, in the form of golden/README.md.
"""
import sys

import namidb

from canonical import answers, dump


def node(n):
    return "00000000-0000-0000-0000-%012x" % n


def make(c):
    for n in range(40):
        c.upsert_node_with_labels(["Person"], node(n), {"name": "e%d" % n, "n": n, "text": "ü " * n})
    for n in range(39):
        c.upsert_edge("KNOWS", node(n), node(n + 1), {"since": n})
        # Its file's name needs percent signs.
        c.upsert_edge("Ünï + 1", node(n + 1), node(n), {})
    c.commit()
    c.flush()
    # What follows stays in the WAL.
    c.upsert_node_with_labels(["Person", "Admin"], node(40), {"name": "wal"})
    c.tombstone_node("Person", node(39))
    c.commit()


def change(c):
    c.cypher("MATCH (p:Person {name: 's3'}) SET p.name = 'engine'")
    c.tombstone_edge("KNOWS", node(0), node(1))
    c.commit()
    c.flush()
    c.compact()
    c.upsert_node_with_labels(["Person"], node(500), {"name": "last"})
    c.commit()


def main():
    uri, step, types = sys.argv[1], sys.argv[2], sys.argv[3].split(",")
    c = namidb.Client(uri)
    if step != "look":
        {"make": make, "change": change}[step](c)
    nodes, edges = answers(c, types)
    print(dump({"nodes": nodes, "edges": edges}))


if __name__ == "__main__":
    main()
