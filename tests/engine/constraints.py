"""Uniqueness constraints of the engine around what Spark writes. Each command is a process of its own.

    constraints.py start DIR NS            a label with a unique property, one with a unique pair, rows in SSTs and WAL
    constraints.py values DIR NS           how the engine compares: prints the numbers of the values it took
    constraints.py holds DIR NS LABEL PROPERTY VALUES
                                           flushes, compacts, reopens; each value must be refused to another node
    constraints.py ask DIR NS QUERY        prints one JSON array of rows per line
"""
import gc
import json
import os
import sys

import namidb

from canonical import canonical, dump

# Written as Cypher, and by tests in Spark as the same types: keep the order.
VALUES = [
    "1", "1.0", "'1'", "true", "'true'", "0", "0.0", "-0.0", "9007199254740993", "9007199254740992.0",
    "9007199254740992", "[1, 2]", "[1, 2]", "[1.0, 2.0]", "{a: 1, b: 2}", "{b: 2, a: 1}", "{a: 1.0, b: 2}",
    "date('2020-01-01')", "18262", "''", "'A'", "'a'", "1", "'a'", "[0.0]", "[-0.0]",
]


def uid(n):
    return "00000000-0000-0000-0000-%012x" % n


def open_client(folder, ns):
    gc.collect()
    return namidb.Client("file://%s?ns=%s" % (os.path.abspath(folder), ns))


def refused(c, query, params=None):
    try:
        c.cypher(query, params or {})
    except RuntimeError as e:
        assert "constraint violation" in str(e), e
        return True
    return False


def start(c):
    c.cypher("CREATE CONSTRAINT FOR (n:User) REQUIRE n.email IS UNIQUE")
    c.cypher("CREATE CONSTRAINT FOR (n:Seat) REQUIRE (n.row, n.place) IS UNIQUE")
    for n in range(1, 6):
        c.upsert_node("User", uid(n), {"email": "e%d" % n, "n": n})
    c.upsert_node("Seat", uid(50), {"row": 1, "place": 1})
    c.commit()
    c.flush()
    for n in range(6, 9):
        c.upsert_node("User", uid(n), {"email": "e%d" % n, "n": n})
    c.upsert_node("Other", uid(9), {"email": "e9"})
    c.tombstone_node("User", uid(5))
    c.commit()


def values(c):
    c.cypher("CREATE CONSTRAINT FOR (n:V) REQUIRE n.k IS UNIQUE")
    print(dump([i for i, v in enumerate(VALUES) if not refused(c, "CREATE (n:V {k: %s})" % v)]))


def holds(folder, ns, label, prop, taken):
    for step in range(2):
        c = open_client(folder, ns)
        for v in taken:
            assert refused(c, "CREATE (n:`%s` {`%s`: $v})" % (label, prop), {"v": v}), v
        if step == 0:
            c.cypher("CREATE (n:`%s` {`%s`: 'new'})" % (label, prop))
            assert refused(c, "CREATE (n:`%s` {`%s`: 'new'})" % (label, prop))
            c.cypher("MATCH (n:`%s` {`%s`: 'new'}) DELETE n" % (label, prop))
        c.flush()
        c.compact()
        c = None


def main():
    what, folder, ns = sys.argv[1:4]
    if what == "holds":
        holds(folder, ns, sys.argv[4], sys.argv[5], json.loads(sys.argv[6]))
        return
    c = open_client(folder, ns)
    if what == "start":
        start(c)
    elif what == "values":
        values(c)
    elif what == "ask":
        for row in c.cypher(sys.argv[4]).rows():
            print(dump([canonical(v) for v in row.values()]))


if __name__ == "__main__":
    main()
