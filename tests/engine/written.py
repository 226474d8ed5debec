"""The engine on a namespace that Spark wrote into. Each command is a process of its own. DIR is a folder, or a URI.

    written.py start  DIR NS         a small graph, half of it flushed, half in the WAL
    written.py answers DIR NS TYPES  prints {"nodes":[...],"edges":[...]}
    written.py ask    DIR NS QUERY   prints one JSON array of rows per line
    written.py change DIR NS         updates, deletes, inserts; flushes, compacts, reopens; then prints as answers
    written.py settle DIR NS,NS,... TYPES
                                     per namespace: answers, one node more, flush, compaction, reopening, the same
                                     answers; prints them as one line, with the edges each direction's traversal finds
"""
import gc
import os
import sys

import namidb

from canonical import answers, canonical, dump


def uid(n):
    return "00000000-0000-0000-0000-%012x" % n


def open_client(folder, ns):
    gc.collect()
    place, _, query = (folder if "://" in folder else "file://" + os.path.abspath(folder)).partition("?")
    return namidb.Client("%s?ns=%s" % (place, ns) + ("&" + query if query else ""))


def show(c, types):
    nodes, edges = answers(c, types)
    print(dump({"nodes": nodes, "edges": edges}))


def start(c):
    for n in range(1, 11):
        c.upsert_node("Person", uid(n), {"name": "e%d" % n, "n": n})
    c.upsert_node_with_labels(["Person", "Admin"], uid(11), {"name": "both"})
    for n in range(1, 10):
        c.upsert_edge("KNOWS", uid(n), uid(n + 1), {"since": n})
    c.commit()
    c.flush()
    for n in range(8, 13):
        c.upsert_node("Person", uid(n), {"name": "w%d" % n, "n": n})
    c.tombstone_node("Person", uid(1))
    c.upsert_edge("KNOWS", uid(2), uid(8), {"since": 28})
    c.tombstone_edge("KNOWS", uid(9), uid(10))
    c.commit()


def change(folder, ns, types):
    c = open_client(folder, ns)
    c.cypher("MATCH (n:Person {name: 's3'}) SET n.name = 'engine3', n.extra = 1")
    c.upsert_node("Person", uid(30), {"name": "engine30"})
    c.tombstone_node("Person", uid(21))
    c.upsert_edge("KNOWS", uid(20), uid(30), {"since": 2030})
    c.tombstone_edge("KNOWS", uid(20), uid(22))
    c.commit()
    c.flush()
    c.compact()
    before = answers(c, types)
    c = None
    c = open_client(folder, ns)
    after = answers(c, types)
    key = lambda e: (e["type"], e["src"], e["dst"])  # noqa: E731
    assert sorted(before[0], key=lambda n: n["id"]) == sorted(after[0], key=lambda n: n["id"])
    assert sorted(before[1], key=key) == sorted(after[1], key=key)
    show(c, types)


def traversed(c, types):
    """How many edges of each type are found from their sources, and from their destinations; with both ends."""
    found = {}
    for t in types:
        ways = ("MATCH (a)-[:`%s`]->(b) RETURN a, b" % t, "MATCH (b)<-[:`%s`]-(a) RETURN a, b" % t)
        found[t] = [sum(1 for row in c.cypher(way).rows() if row["a"] and row["b"]) for way in ways]
    return found


def by_key(answer):
    nodes, edges = answer
    return (sorted(nodes, key=lambda n: n["id"]), sorted(edges, key=lambda e: (e["type"], e["src"], e["dst"])))


def settle(folder, ns, types):
    c = open_client(folder, ns)
    before, found = by_key(answers(c, types)), traversed(c, types)
    c.upsert_node("Settled", uid(0x5E771ED), {"settled": True})
    c.commit()
    c.flush()
    c.compact()
    c = None
    c = open_client(folder, ns)
    nodes, edges = by_key(answers(c, types))
    after = ([n for n in nodes if n["id"] != uid(0x5E771ED)], edges)
    assert dump(before) == dump(after), "%s: compaction changed the answers" % ns
    assert found == traversed(c, types), "%s: compaction changed traversals" % ns
    print(dump({"ns": ns, "nodes": after[0], "edges": after[1], "traversed": found}))


def main():
    what, folder, ns = sys.argv[1:4]
    if what == "change":
        change(folder, ns, sys.argv[4].split(","))
        return
    if what == "settle":
        for name in ns.split(","):
            settle(folder, name, sys.argv[4].split(","))
        return
    c = open_client(folder, ns)
    if what == "start":
        start(c)
    elif what == "answers":
        show(c, sys.argv[4].split(","))
    elif what == "ask":
        for row in c.cypher(sys.argv[4]).rows():
            print(dump([canonical(v) for v in row.values()]))


if __name__ == "__main__":
    main()
